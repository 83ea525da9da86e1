import { signal } from "@preact/signals";
import type { Ink } from "../view/ink.ts";

/** The colours of the scheme in force, for what is drawn and not styled. */
export function readInk(): Ink {
  // `light-dark()` is decided where a colour is used: an element that has it tells.
  const probe = document.documentElement.appendChild(document.createElement("i"));
  const of = (name: string): string => {
    probe.style.color = `var(--${name})`;
    return getComputedStyle(probe).color;
  };
  const found = {
    ink: of("ink"),
    muted: of("muted"),
    line: of("line"),
    paper: of("paper"),
    accent: of("accent"),
    bad: of("bad"),
    series: Array.from({ length: 7 }, (_, k) => of(`series-${k}`)),
    font: `12px ${getComputedStyle(document.body).fontFamily}`,
  };
  probe.remove();
  return found;
}

export const ink = signal<Ink>(readInk());
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
  ink.value = readInk();
});
