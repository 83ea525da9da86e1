/**
 * Values that are kept at most. All go at once when there are more: what is in use is soon there again. One peer meets no more in a
 * while; a process that plays a whole room raises it.
 */
export const MEMO = { most: 4096 };

/** Remembers what a pure function of a text gave. */
export function memo<T>(of: (text: string) => T): (text: string) => T {
  const known = new Map<string, T>();
  return (text) => {
    const before = known.get(text);
    if (before !== undefined) return before;
    const value = of(text);
    if (known.size >= MEMO.most) known.clear();
    known.set(text, value);
    return value;
  };
}
