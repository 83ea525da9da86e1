import { ConfigError } from "@coterie/core";

/** Bytes that cannot be read are the caller's fault: it gave them. */
export const complain = (_: string, field: string, value: unknown, bound: string): Error =>
  new ConfigError(field, value, bound);
