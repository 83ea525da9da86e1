import { ConfigError } from "@coterie/core";
import { backup, restore } from "@coterie/net/store";
import { buildCommand } from "@stricli/core";
import { yes } from "../flags.ts";
import { guarded } from "../guard.ts";
import { storeFault } from "../stores.ts";

const STORE = { brief: "the store's directory", parse: String, placeholder: "STORE" } as const;
const FILE = { brief: "the backup", parse: String, placeholder: "FILE" } as const;

export const backupCommand = buildCommand<{ readonly json: boolean }, [string, string]>({
  docs: {
    brief: "Copy a peer's store into one file, also while the peer runs",
    fullDescription:
      "Writes everything that the store held at one moment into a new file, whole and verified. The file has the peer's key in it: keep it as secret as a password. `coterie restore` makes a store of it again. To move a peer's state into another store that is in use, export it instead (docs/operate.md).",
  },
  parameters: {
    flags: { json: yes("print JSON") },
    positional: { kind: "tuple", parameters: [STORE, FILE] },
  },
  func({ json }, store, file) {
    return guarded(async () => {
      const done = await backup(store, file).catch(storeFault(store));
      const said = `backed up to ${done.file}: ${done.bytes} bytes, up to record ${done.sequence}`;
      process.stdout.write(json ? `${JSON.stringify(done)}\n` : `${said}\n`);
    });
  },
});

export const restoreCommand = buildCommand<{ readonly json: boolean }, [string, string]>({
  docs: {
    brief: "Make a store of a backup",
    fullDescription:
      "Makes a store, in a folder that is empty or not there yet, of a file that `coterie backup` wrote. The peer that starts on it has the name and the observations of that moment. What it publishes from then on is above every version that it published since, so that others never hold two records of one version. Never run the old store beside it.",
  },
  parameters: {
    flags: { json: yes("print JSON") },
    positional: { kind: "tuple", parameters: [FILE, STORE] },
  },
  func({ json }, file, store) {
    return guarded(async () => {
      if (file === store) throw new ConfigError("STORE", store, "differ from FILE");
      const done = await restore(file, store).catch(storeFault(store));
      const said = `restored to ${store}, incarnation ${done.incarnation}: as it was at ${new Date(done.made).toISOString()}`;
      process.stdout.write(json ? `${JSON.stringify(done)}\n` : `${said}\n`);
    });
  },
});
