import { signal } from "@preact/signals";

const KEY = "coterie token";

/** The token came in the address; it is kept for this tab alone and taken out of sight. */
export const token = signal<string | null>(takeToken());

function takeToken(): string | null {
  const given = new URLSearchParams(location.hash.slice(1)).get("token");
  if (given !== null) {
    sessionStorage.setItem(KEY, given);
    history.replaceState(null, "", location.pathname);
  }
  return given ?? sessionStorage.getItem(KEY);
}

/** For a request to the server that the page came from. */
export const bearer = (): Record<string, string> =>
  token.value === null ? {} : { authorization: `Bearer ${token.value}` };

/** Asks that server; throws what a refusal says. */
export async function ask<T>(path: string): Promise<T> {
  const response = await fetch(path, { cache: "no-store", headers: bearer() });
  if (response.ok) return (await response.json()) as T;
  const { error } = (await response.json().catch(() => ({}))) as { error?: string };
  throw new RefusedRequest(response.status, error ?? `the server answered ${response.status}`);
}

/** An answer that is none. */
export class RefusedRequest extends Error {
  override readonly name = "Refusal";
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}
