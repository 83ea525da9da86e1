import { type ConfigError, type ProtocolViolation, show } from "../errors.ts";

type Fault = typeof ConfigError | typeof ProtocolViolation;

/**
 * The error of an action that must be refused, of the class it must have, with a message that names field, bound and
 * value. Throws otherwise; plain conditions, because properties ask this tens of thousands of times.
 */
export function refusal<T extends Fault>(kind: T, action: () => unknown): InstanceType<T> {
  let error: unknown;
  try {
    action();
  } catch (thrown) {
    error = thrown;
  }
  if (error === undefined) throw new Error("nothing was refused");
  if (!(error instanceof kind)) throw error;
  const { field, bound, value, message } = error as ConfigError | ProtocolViolation;
  if (message !== `${field} must ${bound}, but is ${show(value)}`) throw new Error(`a strange message: ${message}`);
  if (field === "" || bound === "") throw new Error(`a message without its place or bound: ${message}`);
  return error as InstanceType<T>;
}

/** Throws unless the field is this one, or matches. */
export function names(error: { readonly field: string; readonly message: string }, field: string | RegExp): void {
  const right = typeof field === "string" ? error.field === field : field.test(error.field);
  if (!right) throw new Error(`the message should name ${field}: ${error.message}`);
}
