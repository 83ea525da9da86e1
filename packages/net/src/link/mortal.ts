import { type Link, LinkError } from "./link.ts";

/** A process that may end without a word. */
export interface ProcessLife {
  dead: boolean;
}

/** A link that a dead process has no more use of: it sends nothing, and what it hears reaches nobody. For tests. */
export function mortal(link: Link, life: Readonly<ProcessLife>): Link {
  const live = <T>(value: T): T => {
    if (life.dead) throw new LinkError("the process is gone");
    return value;
  };
  return {
    request: async (to, message, options) => live(await link.request(live(to), message, options)),
    serve: (handler) => link.serve(async (from, message) => live(await handler(live(from), message))),
    close: () => link.close(),
  };
}
