import { plain } from "../text.ts";

/** How text may look in the terminal it goes to. */
export interface TerminalOptions {
  /** Characters in a line. */
  readonly width?: number;
  /** Whether colour and bold type may be used. */
  readonly colour?: boolean;
}

export const DEFAULT_WIDTH = 100;

const ESCAPE = "\u001b[";

export const bold = (text: string, colour: boolean): string => (colour ? `${ESCAPE}1m${text}${ESCAPE}22m` : text);
export const faint = (text: string, colour: boolean): string => (colour ? `${ESCAPE}2m${text}${ESCAPE}22m` : text);

/** The nearest to the figures' own colours among the 256 of a terminal, legible on light and dark. */
const COLOURS = [33, 202, 36, 133, 172, 75, 245];

export const painted = (text: string, series: number, colour: boolean): string =>
  colour ? `${ESCAPE}38;5;${COLOURS[series % COLOURS.length]}m${text}${ESCAPE}39m` : text;

/** Characters that a text takes up; wide scripts count double. */
export const widthOf = (text: string): number =>
  [...text].reduce((sum, character) => sum + (isWide(character) ? 2 : 1), 0);

const isWide = (character: string): boolean => {
  const code = character.codePointAt(0)!;
  return (
    (code >= 0x1100 && code <= 0x115f) ||
    (code >= 0x2e80 && code <= 0xffdc && code !== 0xfffd && !isHalf(code)) ||
    code >= 0x1f300
  );
};
const isHalf = (code: number): boolean => code >= 0xd7a4 && code < 0xf900;

/** Cut to a width, with an ellipsis where something is lost. */
export function clipped(text: string, width: number): string {
  const clean = plain(text);
  if (widthOf(clean) <= width) return clean;
  let kept = "";
  for (const character of clean) {
    if (widthOf(kept + character) > width - 1) break;
    kept += character;
  }
  return `${kept}…`;
}

export const padded = (text: string, width: number, right: boolean): string => {
  const space = " ".repeat(Math.max(0, width - widthOf(text)));
  return right ? space + text : text + space;
};

/** Lines of at most `width` characters, broken at spaces. */
export function wrapped(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    if (line !== "" && widthOf(line) + 1 + widthOf(word) > width) {
      lines.push(line);
      line = word;
    } else line = line === "" ? word : `${line} ${word}`;
  }
  return [...lines, line];
}
