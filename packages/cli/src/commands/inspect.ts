import { inspect } from "@coterie/net/store";
import { buildCommand } from "@stricli/core";
import { CheckNotMet, guarded } from "../guard.ts";
import { storeFault } from "../stores.ts";

export const inspectCommand = buildCommand<{ readonly json: boolean }, [string]>({
  docs: {
    brief: "What a peer's store holds",
    fullDescription:
      "Reads a store without changing it, also while a peer runs on it: its incarnation, the snapshot it would go on from, the entries after it by kind, and whether all of it is intact. A damaged store ends with exit code 3.",
  },
  parameters: {
    flags: { json: { kind: "boolean", default: false, withNegated: false, brief: "print JSON" } },
    positional: {
      kind: "tuple",
      parameters: [{ brief: "the store's directory", parse: String, placeholder: "STORE" }],
    },
  },
  func({ json }, path) {
    return guarded(async () => {
      const found = await inspect(path).catch(storeFault(path));
      process.stdout.write(json ? `${JSON.stringify(found)}\n` : described(found));
      if (!found.intact) throw new CheckNotMet(`${path} is damaged: ${found.fault}`);
    });
  },
});

function described({
  incarnation,
  sequence,
  snapshot,
  entries,
  intact,
  damaged,
}: Awaited<ReturnType<typeof inspect>>): string {
  const lines = [
    intact ? "intact" : "damaged",
    `incarnation ${incarnation}`,
    sequence === null ? "an empty log" : `log from ${sequence.first} to ${sequence.last}`,
    snapshot === null ? "no snapshot" : `snapshot of ${snapshot.bytes} bytes, at ${snapshot.sequence}`,
    ...Object.entries(entries).map(([kind, { count, bytes }]) => `${count} entries "${kind}" after it, ${bytes} bytes`),
    ...damaged.map((name) => `a damaged copy is kept at ${name}`),
  ];
  return `${lines.join("\n")}\n`;
}
