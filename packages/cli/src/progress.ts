/** One line on standard error that says how far a long task is: rewritten on a terminal, now and then elsewhere. */
export class ProgressLine {
  readonly #terminal = process.stderr.isTTY === true;
  readonly #started = performance.now();
  /** When it was last written; null before. */
  #shown: number | null = null;

  /** Nothing is shown in the first second; elsewhere than on a terminal a line every ten seconds. */
  show(text: () => string): void {
    const now = performance.now();
    if (now - this.#started < 1000 || now - (this.#shown ?? this.#started) < (this.#terminal ? 200 : 10_000)) return;
    this.#shown = now;
    if (this.#terminal) process.stderr.write(`\r\u001b[2K${text()}`);
    else process.stderr.write(`${text()}\n`);
  }

  clear(): void {
    if (this.#terminal && this.#shown !== null) process.stderr.write("\r\u001b[2K");
  }

  get seconds(): number {
    return (performance.now() - this.#started) / 1000;
  }
}

/** 75 -> "1:15". */
export function duration(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  const [h, m, s] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  const two = (n: number): string => `${n}`.padStart(2, "0");
  return h > 0 ? `${h}:${two(m)}:${two(s)}` : `${m}:${two(s)}`;
}
