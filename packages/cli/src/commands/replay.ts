import { parseTrace, replay } from "@coterie/core";
import { buildCommand } from "@stricli/core";
import { readJson } from "../files.ts";
import { guarded } from "../guard.ts";

export const replayCommand = buildCommand({
  docs: {
    brief: "Play a trace and print its answer as JSON",
    fullDescription:
      "Plays a trace, in which all that is random is fixed, and prints choices, buffer lengths, neighbourhoods and the final statistics as JSON on standard output. Bad input ends with exit code 2 and a sentence that names the place.",
  },
  parameters: {
    positional: {
      kind: "tuple",
      parameters: [{ brief: "the trace, a JSON file", parse: String, placeholder: "TRACE.json" }],
    },
  },
  func(_flags: Record<never, never>, file: string) {
    return guarded(() => {
      process.stdout.write(`${JSON.stringify(replay(readJson(file, parseTrace)))}\n`);
    });
  },
});
