import { fileURLToPath } from "node:url";
import { buildCommand } from "@stricli/core";
import { optionalText, whole, yes } from "../flags.ts";
import { CheckNotMet, guarded, interruptible } from "../guard.ts";

interface ChaosFlags {
  readonly peers: number;
  readonly seconds: number;
  readonly seed: number;
  readonly policy: "kindred" | "dcb";
  readonly logs?: string;
  readonly json: boolean;
}

export const chaosCommand = buildCommand<ChaosFlags>({
  docs: {
    brief: "Real processes in network namespaces: killed, paused, cut off, with lost packets and a full disk",
    fullDescription:
      "Starts a hub and peers, each a process in a network namespace of its own (Linux, root, iproute2; elsewhere on loopback, behind a proxy each), with a simulated user for every peer. Then it does what the seed says: kill -9, SIGSTOP, the two halves cut apart, 30 % loss (of packets where nft is there, else stalls), delays before the hub, a full disk, a hub that dies. At the end every peer must have met another again, and no acknowledged reward may be lost or counted twice, in the processes and in their stores. A check that fails ends with exit code 3. Nothing leaves the namespaces, and they are taken away whatever happens. The seed fixes the faults, not how processes take turns.",
  },
  parameters: {
    flags: {
      peers: whole("--peers", 3, 100, "peers, each a process", "20"),
      seconds: whole("--seconds", 10, 86_400, "how long faults go on", "180"),
      seed: whole("--seed", 0, Number.MAX_SAFE_INTEGER, "draws the faults", "1"),
      policy: {
        kind: "enum",
        values: ["kindred", "dcb"],
        default: "kindred",
        brief: "what peers run: records, or averages, whose sums are weighed at the end",
      },
      logs: optionalText("DIR", "keep the logs of all processes there, exchanges included"),
      json: yes("print JSON"),
    },
  },
  func({ json, ...options }) {
    return guarded(async () => {
      const { chaosText, runChaos } = await import("@coterie/storm");
      const command = [process.execPath, fileURLToPath(new URL("../../bin/coterie.js", import.meta.url))];
      const report = await runChaos({
        ...options,
        command,
        signal: interruptible(),
        onLine: (line) => process.stderr.write(`${line}\n`),
      });
      process.stdout.write(json ? `${JSON.stringify(report)}\n` : chaosText(report));
      if (report.failures.length > 0) throw new CheckNotMet(`seed ${report.seed}: ${report.failures[0]}`);
    });
  },
});
