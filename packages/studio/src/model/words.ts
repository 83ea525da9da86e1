/** Numbers for people. */

export const count = (n: number, one: string, many = `${one}s`): string => `${n} ${n === 1 ? one : many}`;

/** 2880 -> "2,880". */
export const whole = (n: number): string => Math.round(n).toLocaleString("en");

/** "Wren, Kite and Robin"; more than `most` are counted. */
export function listed(names: readonly string[], most = 6): string {
  if (names.length > most) return `${names.slice(0, most - 1).join(", ")} and ${names.length - most + 1} others`;
  return names.length < 2 ? names.join() : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
}

export const percent = (share: number): string => `${Math.round(100 * share)} %`;

/** "44 % less than", "3 % more than", "as much as": how `value` compares with `other`; null where there is nothing to compare with. */
export function compared(value: number, other: number, of: string): string | null {
  if (!(other > 0)) return null;
  const share = 1 - value / other;
  if (Math.abs(share) < 0.005) return `as much ${of} as`;
  return `${percent(Math.abs(share))} ${share > 0 ? "less" : "more"} ${of} than`;
}

/** A real minus sign, and always a sign. */
export const signed = (value: number, digits = 2): string =>
  `${value < 0 ? "−" : "+"}${Math.abs(value).toFixed(digits)}`;

export function bytesText(bytes: number): string {
  if (bytes < 1000) return `${Math.round(bytes)} B`;
  if (bytes < 1e6) return `${(bytes / 1000).toFixed(bytes < 1e4 ? 1 : 0)} kB`;
  return bytes < 1e9 ? `${(bytes / 1e6).toFixed(bytes < 1e8 ? 1 : 0)} MB` : `${(bytes / 1e9).toFixed(1)} GB`;
}

/** 75.2 s -> "1:15". */
export function clock(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds));
  const two = (n: number): string => `${n}`.padStart(2, "0");
  const [h, m, s] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  return h > 0 ? `${h}:${two(m)}:${two(s)}` : `${m}:${two(s)}`;
}

/** What each reason means to people. */
export const REASON_TEXT: Readonly<Record<string, string>> = {
  left: "left the network",
  killed: "was killed",
  lost: "was lost sight of",
  pruned: "pruned: the local estimates lie too far apart",
  unlike: "no longer likely to be of one kind",
  found: "found to be of one kind",
};

export const OUTCOME_TEXT: Readonly<Record<string, string>> = {
  mix: "took in statistics",
  prune: "parted",
  keep: "nothing new to share",
  stranger: "outside the neighbourhood",
  busy: "was busy",
  behind: "had to catch up",
  refused: "refused",
  "in-doubt": "no answer yet",
  "given-up": "no answer",
};
