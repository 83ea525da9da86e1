import { install, present } from "./debian.mjs";

/** Debian's packages by the program they bring: `ip` makes network namespaces, `nft` loses packets in them. */
const PACKAGES = { ip: "iproute2", nft: "nftables" };

/** Makes sure of them for the tests of real processes; where they cannot be had those say so, and do with less. */
export function ensureNetworkTools() {
  if (process.platform !== "linux" || process.getuid?.() !== 0) return;
  const missing = Object.keys(PACKAGES).filter((name) => present([name]) === null);
  if (missing.length > 0) install(...missing.map((name) => PACKAGES[name]));
}
