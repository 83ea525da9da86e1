import type { Upgraded } from "@coterie/net/internal";
import { upgrade } from "@coterie/net/store";
import { buildCommand } from "@stricli/core";
import { yes } from "../flags.ts";
import { guarded } from "../guard.ts";
import { storeFault } from "../stores.ts";

export const upgradeCommand = buildCommand<{ readonly json: boolean }, [string]>({
  docs: {
    brief: "Convert a store that an earlier version wrote",
    fullDescription:
      "Converts a store in its place and keeps the old files in a folder of it. No peer may run on it. A store of this version is left as it is. To go back to the earlier version, stop the peer and move the old files back; what was learnt since then is lost (docs/operate.md).",
  },
  parameters: {
    flags: { json: yes("print JSON") },
    positional: {
      kind: "tuple",
      parameters: [{ brief: "the store's directory", parse: String, placeholder: "STORE" }],
    },
  },
  func({ json }, store) {
    return guarded(async () => {
      const done = await upgrade(store).catch(storeFault(store));
      process.stdout.write(json ? `${JSON.stringify(done)}\n` : described(store, done));
    });
  },
});

function described(store: string, { from, to, keptAt, fault }: Upgraded): string {
  if (keptAt === null) return `${store} is of version ${to} already\n`;
  const lines = [`${store} is of version ${to} now; the files of version ${from} are kept at ${keptAt}`];
  if (fault !== null) lines.push(`it was damaged: ${fault}; what could be read was taken over`);
  return `${lines.join("\n")}\n`;
}
