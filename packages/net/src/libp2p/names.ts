import { lookup as systemLookup } from "node:dns/promises";
import type { Multiaddr } from "@multiformats/multiaddr";
import { hostOf, scopeOf } from "../membership/prefix.ts";

type Lookup = (host: string) => Promise<readonly { readonly address: string }[]>;

const lookUp: Lookup = (host) => systemLookup(host, { all: true });

/**
 * A DNS name is dialled only if all that it stands for are public hosts: else whoever has a domain could make a peer knock at the
 * doors of its own network, by a name. Those that the app gave are its own business.
 */
export class Names {
  readonly #given: ReadonlySet<string | null>;

  constructor(
    given: readonly Multiaddr[],
    readonly lookup: Lookup = lookUp,
  ) {
    this.#given = new Set(given.map((address) => nameIn(address)));
  }

  /** Whether an address must not be dialled. */
  async denies(address: Multiaddr): Promise<boolean> {
    const name = nameIn(address);
    if (name === null || this.#given.has(name)) return false;
    try {
      const found = await this.lookup(name);
      return found.some((host) => scopeOf(host.address) !== "everywhere");
    } catch {
      // The dial finds nobody either.
      return false;
    }
  }
}

function nameIn(address: Multiaddr): string | null {
  const text = address.toString();
  return text.startsWith("/dns") ? hostOf(text) : null;
}
