import { table, whole } from "./text.mjs";

export function coverageTable({ logs, choices, rows }) {
  const head = ["target", "truth", "IPS", "SNIPS", "doubly robust"];
  const cell = ({ coverage, width }) => `${(100 * coverage).toFixed(1)} %, ± ${(width / 2).toFixed(3)}`;
  const lines = rows.map(({ target, truth, ips, snips, dr }) => [
    target,
    truth.toFixed(4),
    cell(ips),
    cell(snips),
    cell(dr),
  ]);
  return `${whole(logs)} logs of ${whole(choices)} choices: how often the 95 % interval contains the truth, and its mean half width.\n\n${table([head, ...lines])}`;
}
