import { install, present } from "./debian.mjs";

/** Makes sure of `ip`, for tests in network namespaces; where it cannot be had they run over loopback. */
export function ensureIproute() {
  if (process.platform !== "linux" || process.getuid?.() !== 0 || present(["ip"]) !== null) return;
  install("iproute2");
}
