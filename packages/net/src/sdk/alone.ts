import { LinkError } from "../link/link.ts";
import type { NetworkFactory } from "../link/network.ts";

/** A network with nobody else in it: what a peer has that was given none. There too its name is that of its key. */
export function alone(): NetworkFactory {
  return async ({ identity }) => ({
    self: identity?.id ?? "alone",
    link: {
      request: (to) => Promise.reject(new LinkError(`no way to ${to}: this peer has no network`)),
      serve: () => {},
      close: async () => {},
    },
    alive: () => [],
    onMembers: () => () => {},
    close: async () => {},
  });
}
