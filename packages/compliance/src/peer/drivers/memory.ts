import { MemoryNetwork, memory } from "@coterie/net";
import { networkDriver } from "./network.ts";

/** Real peers whose messages pass through memory. */
export const inMemory = networkDriver("in memory", () => {
  const network = new MemoryNetwork();
  return (room) => memory(network)(room);
});
