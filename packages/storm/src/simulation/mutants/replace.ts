/** Puts another function in the place of a method, and returns a way to undo that. */
export function replaceMethod<T extends object, K extends keyof T>(
  prototype: T,
  name: K,
  make: (original: T[K]) => T[K],
): () => void {
  const original = prototype[name];
  prototype[name] = make(original);
  return () => {
    prototype[name] = original;
  };
}
