import { expect, it } from "vitest";
import { withoutNotes } from "./peerStore.ts";

type Given = Parameters<typeof withoutNotes>[0];
type Merge = Given["peerStore"]["merge"];

it("libp2p's notes of streams and dials are not written down; addresses, relays and what is ours are", async () => {
  const written: string[] = [];
  const merge = async (_: unknown, data: object): Promise<void> => {
    written.push(Object.keys(data).join());
  };
  const [self, other] = ["self", "other"].map((name) => ({ name, equals: (of: unknown) => of === self }));
  const { peerStore } = withoutNotes({ peerId: self, peerStore: { merge } } as unknown as Given);
  const id = (one: unknown): Parameters<Merge>[0] => one as Parameters<Merge>[0];
  expect(await peerStore.merge(id(other), { protocols: ["/spoken/1.0.0"] })).toMatchObject({ protocols: [] });
  await peerStore.merge(id(other), { multiaddrs: [], metadata: { dialled: new Uint8Array() } });
  expect(written).toEqual([]);
  await peerStore.merge(id(other), { multiaddrs: [] });
  await peerStore.merge(id(other), { tags: {}, protocols: [] });
  await peerStore.merge(id(self), { protocols: [] });
  expect(written).toEqual(["multiaddrs", "tags,protocols", "protocols"]);
});
