/** How wide the terminal is and whether to colour: never where NO_COLOR is set or the output is not a terminal. */
export function terminal(): { width: number; colour: boolean } {
  const { isTTY, columns } = process.stdout;
  return { width: isTTY ? columns : 100, colour: isTTY === true && process.env.NO_COLOR === undefined };
}
