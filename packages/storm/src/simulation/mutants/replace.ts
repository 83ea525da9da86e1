type Method = (...given: never[]) => unknown;
type Methods<T> = { [K in keyof T]: T[K] extends Method ? K : never }[keyof T];
type Given<T> = T extends (...given: infer G) => unknown ? G : never;
type Result<T> = T extends (...given: never[]) => infer R ? R : never;

/**
 * Puts `instead` in the place of a method, and returns a way to undo that. It gets the object, the method as it was, and what
 * the method is given.
 */
export function replaceMethod<T extends object, K extends Methods<T>>(
  prototype: T,
  name: K,
  instead: (self: T, original: (...given: Given<T[K]>) => Result<T[K]>, ...given: Given<T[K]>) => Result<T[K]>,
): () => void {
  const original = prototype[name] as unknown as (...given: Given<T[K]>) => Result<T[K]>;
  prototype[name] = function (this: T, ...given: Given<T[K]>) {
    return instead(this, original.bind(this), ...given);
  } as unknown as T[K];
  return () => {
    prototype[name] = original as unknown as T[K];
  };
}
