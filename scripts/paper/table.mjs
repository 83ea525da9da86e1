// Means, their errors, and tables in Markdown.

export const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;
const error = (values) => Math.sqrt(mean(values.map((value) => (value - mean(values)) ** 2)) / (values.length - 1));
export const range = (count) => Array.from({ length: count }, (_, k) => k + 1);
export const shown = (values) => `${mean(values).toFixed(0)} ± ${error(values).toFixed(0)}`;
export const large = (value) => value.toLocaleString("en", { maximumFractionDigits: 0 });

export function print(title, header, rows) {
  const line = (cells) => `| ${cells.join(" | ")} |`;
  console.log(`\n## ${title}\n\n${[header, header.map(() => "---"), ...rows].map(line).join("\n")}`);
}
