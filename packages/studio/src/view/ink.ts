/** Colours of the page, read once per scheme. */
export interface Ink {
  readonly ink: string;
  readonly muted: string;
  readonly line: string;
  readonly paper: string;
  readonly accent: string;
  readonly bad: string;
  readonly series: readonly string[];
  readonly font: string;
}
