import { MemoryNetwork } from "@coterie/net";
import type { Driver } from "../stage.ts";
import { Linked } from "./linked.ts";

/** Real peers whose messages pass through memory. */
export const inMemory: Driver = {
  name: "in memory",
  without: {},
  setup: (config) => {
    const network = new MemoryNetwork();
    return Linked.setup(config, {
      place: async ({ id }) => {
        const link = network.link(id);
        return { self: id, link, refusals: () => 0, leave: () => link.close() };
      },
      settled: async () => {},
      close: async () => {},
    });
  },
};
