import { plain, slug } from "../text.ts";
import type { Table, TableCell } from "./table.ts";

/** Columns that matter less stay out: a page is narrow, and the CSV file has them all. */
const LEAST_RANK = 5;

/** Tables for a paper: `\usepackage{booktabs}` and `\input{FILE}` are all that it needs. */
export function latexTables(tables: readonly Table[]): string {
  return `% Needs \\usepackage{booktabs}.\n${tables.map(latexTable).join("\n")}`;
}

function latexTable({ name, caption, columns, rows, notes }: Table): string {
  const shown = columns.flatMap(({ rank }, index) => (rank <= LEAST_RANK ? [index] : []));
  const line = (cells: readonly string[]): string => `  ${cells.join(" & ")} \\\\`;
  const remarks = notes.map((note) => `\n\\par\\smallskip{\\footnotesize ${latex(note)}}`).join("");
  return `\\begin{table}
\\centering
\\caption{${latex(name)}: ${latex(caption)}. Means over seeds with 95\\,\\% intervals; the best mean is bold.}
\\label{tab:${slug(name)}}
\\begin{tabular}{${shown.map((index) => (columns[index]!.numeric ? "r" : "l")).join("")}}
  \\toprule
${line(shown.map((index) => latex(columns[index]!.title)))}
  \\midrule
${rows.map((row) => line(shown.map((index) => cellOf(row[index]!)))).join("\n")}
  \\bottomrule
\\end{tabular}${remarks}
\\end{table}
`;
}

function cellOf({ text, detail, part, best }: TableCell): string {
  const value = best ? `\\textbf{${latex(text)}}` : latex(text);
  const behind = [detail, part === null ? null : `${part} seeds`].filter((known) => known !== null).join(", ");
  return behind === "" ? value : `${value} {\\footnotesize (${latex(behind)})}`;
}

const SPECIAL: Readonly<Record<string, string>> = {
  "\\": "\\textbackslash{}",
  "~": "\\textasciitilde{}",
  "^": "\\textasciicircum{}",
  "−": "$-$",
  "–": "--",
  "∞": "$\\infty$",
  "√": "$\\surd$",
  "×": "$\\times$",
  "<": "$<$",
  ">": "$>$",
  α: "$\\alpha$",
  θ: "$\\theta$",
  ρ: "$\\rho$",
};

/** Text as LaTeX shows it, whatever it holds. */
const latex = (text: string): string =>
  plain(text).replace(/[\\~^−–∞√×<>αθρ]|[&%$#_{}]/gu, (character) => SPECIAL[character] ?? `\\${character}`);
