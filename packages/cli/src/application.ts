import { VERSION } from "@coterie/lab";
import { buildApplication, buildRouteMap } from "@stricli/core";
import { dataCommands } from "./commands/data.ts";
import { inspectCommand } from "./commands/inspect.ts";
import { replayCommand } from "./commands/replay.ts";
import { reportCommand } from "./commands/report.ts";
import { runCommand } from "./commands/run.ts";

export const application = buildApplication(
  buildRouteMap({
    routes: {
      run: runCommand,
      report: reportCommand,
      data: dataCommands,
      replay: replayCommand,
      inspect: inspectCommand,
    },
    docs: { brief: "Peers that learn together what to recommend, without a server" },
  }),
  {
    name: "coterie",
    versionInfo: { currentVersion: VERSION },
    scanner: { caseStyle: "allow-kebab-for-camel" },
    documentation: { disableAnsiColor: !process.stdout.isTTY || process.env.NO_COLOR !== undefined },
  },
);
