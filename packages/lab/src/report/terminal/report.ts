import type { Run } from "../../results/read.ts";
import type { FigureText } from "../files/document.ts";
import { count, numberText } from "../numbers.ts";
import type { WorldSummary } from "../summary.ts";
import { type Table, tableOf } from "../tables/table.ts";
import { plain } from "../text.ts";
import { bold, DEFAULT_WIDTH, type TerminalOptions, wrapped } from "./style.ts";
import { textTable } from "./table.ts";

const MOST_MISSING = 20;

/** A whole report for the terminal: tables, sentences, and what is missing. */
export function reportText(
  run: Run,
  worlds: readonly WorldSummary[],
  figures: readonly FigureText[],
  /** Of the whole run; it comes last. */
  table: Table | null,
  options: TerminalOptions,
): string {
  const { width = DEFAULT_WIDTH, colour = false } = options;
  const heading = `${plain(run.name)}: ${numberText(run.results.length, 0)} of ${count(run.cells, "run")} finished`;
  const tables = worlds.map((world) => textTable(tableOf(world), options));
  const sentences = figures.map(({ title, sentence }) => {
    const lines = wrapped(plain(sentence), Math.max(20, width - 2));
    return `${bold(plain(title), colour)}\n${lines.map((line) => `  ${line}\n`).join("")}`;
  });
  const whole = table === null ? [] : [textTable(table, options)];
  return [`${bold(heading, colour)}\n`, ...tables, ...sentences, ...missingText(run, colour), ...whole].join("\n");
}

function missingText(run: Run, colour: boolean): string[] {
  if (run.missing.length === 0) return [];
  const names = run.missing.slice(0, MOST_MISSING).map(({ cell, world, policy, seed }) => {
    const parts = [world, policy, seed === null ? null : `seed ${seed}`].filter((part) => part !== null);
    return `  ${parts.length === 0 ? `cell ${cell}` : plain(parts.join(", "))}`;
  });
  const more = run.missing.length - names.length;
  if (more > 0) names.push(`  and ${numberText(more, 0)} more`);
  return [`${bold(`Not finished: ${count(run.missing.length, "run")}`, colour)}\n${names.join("\n")}\n`];
}
