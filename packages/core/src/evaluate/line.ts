import { ConfigError } from "../errors.ts";
import { entriesOfDsjson, isDsjson } from "./dsjson.ts";
import { type LogEntry, parseEntry } from "./entry.ts";

/** The entries of one line: one of our own, or a choice and its outcome where the line is VW's dsjson. `place` is "FILE line 7". */
export function parseLine(line: string, place: string): readonly LogEntry[] {
  const value = parseJson(line, place);
  try {
    return isDsjson(value) ? entriesOfDsjson(value) : [parseEntry(value)];
  } catch (error) {
    if (error instanceof ConfigError) throw new ConfigError(`${place}: ${error.field}`, error.value, error.bound);
    throw error;
  }
}

function parseJson(line: string, place: string): unknown {
  try {
    return JSON.parse(line);
  } catch (error) {
    const { message } = error as SyntaxError;
    throw new ConfigError(place, line, `be one whole JSON object, not cut off (${message})`);
  }
}

/** A whole log as text; blank lines are passed over. Files too large for one text are read line by line instead. */
export function parseLog(text: string, name = "log"): LogEntry[] {
  return text.split("\n").flatMap((line, k) => (line.trim() === "" ? [] : parseLine(line, `${name} line ${k + 1}`)));
}
