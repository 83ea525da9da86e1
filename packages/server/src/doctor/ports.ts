import { createServer } from "node:net";
import { bad, type Finding, good, note } from "./finding.ts";

/** What goes wrong with a port, and what to do. */
const TROUBLES: Readonly<Record<string, readonly [found: string, remedy: string]>> = {
  EADDRINUSE: ["another process listens there", "Stop that one, or take another port (--listen; 0: any free one)."],
  EACCES: ["this user may not listen there", "Take a port from 1024 on."],
  EADDRNOTAVAIL: [
    "it is no address of this machine",
    "Take 0.0.0.0 for all interfaces, or one of this machine's addresses.",
  ],
};

/** Whether a hub or a peer could listen there. An address that nobody asked for is at most a note. */
export async function checkPort(address: string, asked: boolean): Promise<Finding> {
  const parts = /^\/(ip4|ip6|dns4?|dns6)\/([^/]+)\/tcp\/(\d{1,5})(\/|$)/.exec(address);
  if (parts === null || Number(parts[3]) > 65_535) {
    return bad("ports", `${address} is no address to listen on.`, "Write it like /ip4/0.0.0.0/tcp/4001.");
  }
  const code = await tryPort(parts[2] ?? "", Number(parts[3]));
  if (code === null) return good("ports", `${address} is free.`);
  const [found, remedy] = TROUBLES[code] ?? [`it cannot be listened on (${code})`, "Take another address."];
  return (asked ? bad : note)("ports", `${address}: ${found}.`, remedy);
}

function tryPort(host: string, port: number): Promise<string | null> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve(null)));
  });
}
