import type { Finding } from "@coterie/server";
import { buildCommand } from "@stricli/core";
import { optionalText, several, yes } from "../flags.ts";
import { CheckNotMet, guarded } from "../guard.ts";
import { HUB_LISTEN } from "./hub.ts";

interface DoctorFlags {
  readonly store?: string;
  readonly listen?: readonly string[];
  readonly bootstrap?: readonly string[];
  readonly json: boolean;
}

export const doctorCommand = buildCommand<DoctorFlags>({
  docs: {
    brief: "Whether this machine has what a peer or a hub needs, and what to do where not",
    fullDescription:
      "Looks at Node, the clock, ports, whether a store can be written, locked and read again, a given store, the way to given hubs, and what is only needed for pages and tests. Changes nothing that lasts. If something is bad the exit code is 3.",
  },
  parameters: {
    flags: {
      store: optionalText("DIR", "a peer's store, there already or not (default: the current folder is tried)"),
      listen: several("ADDR", `where something is to listen (default: ${HUB_LISTEN.join(" and ")})`),
      bootstrap: several("ADDR", "a hub's or a peer's address to reach"),
      json: yes("print JSON"),
    },
  },
  func({ store, listen, bootstrap = [], json }: DoctorFlags) {
    return guarded(async () => {
      const { doctor } = await import("@coterie/server");
      const options = { listen: listen ?? HUB_LISTEN, asked: listen !== undefined, store: store ?? null, bootstrap };
      const findings = await doctor(options);
      process.stdout.write(json ? `${JSON.stringify({ findings })}\n` : findings.map(described).join(""));
      const failed = findings.filter(({ status }) => status === "bad").length;
      if (failed > 0) throw new CheckNotMet(`${failed} of ${findings.length} checks found something bad`);
    });
  },
});

function described({ check, status, found, remedy }: Finding): string {
  const line = `${status.padEnd(6)}${check.padEnd(9)}${found}\n`;
  return remedy === null ? line : `${line}${"".padEnd(15)}${remedy}\n`;
}
