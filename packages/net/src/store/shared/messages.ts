import { ConfigError } from "@coterie/core";
import { TokenError, type TokenFault } from "../../token/error.ts";
import { StoreError, type StoreFailure } from "../errors.ts";
import type { Entry } from "../store.ts";

/** Of these messages. Tabs of one profile may run different versions of a page. */
export const VERSION = 1;

/** What tabs say to each other. `to` is a tab's name; without it the message is for all. */
export type Message = { readonly version: number; readonly from: string; readonly to?: string } & (
  | { readonly kind: "owner" }
  | { readonly kind: "hello" }
  | {
      readonly kind: "state";
      readonly snapshot: Uint8Array;
      /** How many entries this owner had handed to its store; those are in the snapshot. */
      readonly handed: number;
      readonly incarnation: number;
    }
  | { readonly kind: "other-version" }
  /** Written by the owner; `last` is the place of the last of them among all that it handed to its store. */
  | { readonly kind: "entries"; readonly last: number; readonly entries: readonly Entry[] }
  | { readonly kind: "replaced" }
  | { readonly kind: "ask"; readonly id: number; readonly ask: unknown }
  | { readonly kind: "answer"; readonly id: number; readonly answer: unknown }
  | { readonly kind: "refusal"; readonly id: number; readonly error: PlainError }
  | { readonly kind: "erase" }
  | { readonly kind: "erased" }
);

type Body<M> = M extends unknown ? Omit<M, "version" | "from"> : never;
export type Said = Body<Message>;

/** An error as plain data: what a channel carries of one has lost its class. */
export interface PlainError {
  readonly message: string;
  readonly reason?: StoreFailure;
  readonly token?: TokenFault;
  readonly config?: { readonly field: string; readonly value: string; readonly bound: string };
}

export function tell(error: unknown): PlainError {
  if (error instanceof StoreError) return { message: error.message, reason: error.reason };
  if (error instanceof TokenError) return { message: error.message, token: error.reason };
  if (error instanceof ConfigError) {
    const { field, value, bound, message } = error;
    return { message, config: { field, value: String(value), bound } };
  }
  return { message: error instanceof Error ? error.message : String(error) };
}

export function errorOf({ message, reason, token, config }: PlainError): Error {
  if (reason !== undefined) return new StoreError(reason, message);
  if (token !== undefined) return new TokenError(token, message);
  return config === undefined ? new Error(message) : new ConfigError(config.field, config.value, config.bound);
}
