import { VERSION } from "@coterie/lab";
import { buildApplication, buildRouteMap, type CommandContext, type RouteMap } from "@stricli/core";
import { backupCommand, restoreCommand } from "./commands/backup.ts";
import { benchCommand } from "./commands/bench.ts";
import { chaosCommand } from "./commands/chaos.ts";
import { completionCommand } from "./commands/completion.ts";
import { dataCommands } from "./commands/data.ts";
import { demoCommand } from "./commands/demo.ts";
import { doctorCommand } from "./commands/doctor.ts";
import { evaluateCommand } from "./commands/evaluate.ts";
import { hubCommand } from "./commands/hub.ts";
import { inspectCommand } from "./commands/inspect.ts";
import { peerCommand } from "./commands/peer.ts";
import { replayCommand } from "./commands/replay.ts";
import { reportCommand } from "./commands/report.ts";
import { runCommand } from "./commands/run.ts";
import { soakCommand } from "./commands/soak.ts";
import { stormCommand } from "./commands/storm.ts";
import { upgradeCommand } from "./commands/upgrade.ts";
import { words } from "./words.ts";

const commands: RouteMap<CommandContext> = buildRouteMap({
  routes: {
    run: runCommand,
    report: reportCommand,
    data: dataCommands,
    replay: replayCommand,
    evaluate: evaluateCommand,
    demo: demoCommand,
    hub: hubCommand,
    peer: peerCommand,
    inspect: inspectCommand,
    doctor: doctorCommand,
    backup: backupCommand,
    restore: restoreCommand,
    upgrade: upgradeCommand,
    bench: benchCommand,
    storm: stormCommand,
    chaos: chaosCommand,
    soak: soakCommand,
    completion: completionCommand(() => commands),
  },
  docs: { brief: "Peers that learn together what to recommend, without a server" },
});

export const application = buildApplication(commands, {
  name: "coterie",
  versionInfo: { currentVersion: VERSION },
  scanner: { caseStyle: "allow-kebab-for-camel" },
  localization: { text: words },
  documentation: { disableAnsiColor: !process.stdout.isTTY || process.env.NO_COLOR !== undefined },
});
