// Network namespaces on one bridge, each with an address of a prefix of its own (24 bits) in the block for benchmarks (RFC 2544),
// which is routed nowhere. Needs root and `ip`.
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";

const NAME = `strangers-${process.pid}`;
const made = new Set();
const ip = (...args) => execFileSync("ip", args, { encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });

/** Of a host, from 1; the last number tells those of one prefix apart. */
export const address = (prefix, host = 1) => `198.18.${prefix}.${host}`;

export function openNetwork() {
  ip("netns", "add", NAME);
  made.add(NAME);
  ip("-n", NAME, "link", "add", "bridge", "type", "bridge");
  ip("-n", NAME, "link", "set", "bridge", "up");
}

/** A namespace with that address; processes that are given the same one share it. */
export function settle(where) {
  const name = `${NAME}-${where}`;
  if (made.has(name)) return name;
  const cable = `to-${where.split(".").slice(2).join("-")}`;
  ip("netns", "add", name);
  made.add(name);
  ip("link", "add", cable, "netns", NAME, "type", "veth", "peer", "name", "eth0", "netns", name);
  ip("-n", NAME, "link", "set", cable, "master", "bridge", "up");
  ip("-n", name, "link", "set", "lo", "up");
  ip("-n", name, "link", "set", "eth0", "up");
  ip("-n", name, "addr", "add", `${where}/15`, "dev", "eth0");
  return name;
}

export function closeNetwork() {
  for (const name of [...made].reverse()) {
    try {
      ip("netns", "del", name);
    } catch {
      // Gone with what it held.
    }
  }
  made.clear();
}

/** A process of `roles.mjs` at an address, which answers questions. */
export async function start(role, where, settings) {
  const file = new URL("./roles.mjs", import.meta.url).pathname;
  const [command, ...args] = ["ip", "netns", "exec", settle(where), process.execPath, "--expose-gc", file];
  const child = spawn(command, [...args, role], { stdio: ["ignore", "inherit", "inherit", "ipc"] });
  child.setMaxListeners(0);
  let asked = 0;
  const ask = async (kind, more = {}) => {
    const id = ++asked;
    child.send({ id, kind, ...more });
    for (;;) {
      const [answer] = await once(child, "message");
      if (answer.id === id) {
        if (answer.error) throw new Error(answer.error);
        return answer;
      }
    }
  };
  const stop = async () => {
    const gone = once(child, "exit");
    child.kill("SIGKILL");
    await gone;
  };
  return { ask, stop, ...(await ask("start", { where, ...settings })) };
}
