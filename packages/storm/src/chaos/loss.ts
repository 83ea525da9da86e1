import { execFileSync } from "node:child_process";
import { LOSS } from "./plan.ts";

/** Packets that came in while loss lasted, and those of them that were dropped. */
export interface PacketCount {
  readonly heard: number;
  readonly dropped: number;
}

const TABLE = "coterie";

/** Loses packets that come in and that one of these expressions matches. netem would do as well, but not every kernel has it. */
const rules = (matches: readonly string[]): string => `table inet ${TABLE} {
  chain lost {
    counter
    numgen random mod 100 < ${100 * LOSS} counter drop
  }
  chain heard {
    type filter hook input priority 0; policy accept;
${matches.map((match) => `    ${match} goto lost\n`).join("")}  }
}
`;

/** `enter` is what stands before a command so that it runs in a namespace. */
function nft(enter: readonly string[], args: readonly string[], input = ""): string {
  const [command = "nft", ...rest] = [...enter, "nft", ...args];
  return execFileSync(command, rest, { input, encoding: "utf8", stdio: ["pipe", "pipe", "pipe"] });
}

/** From now on the namespace loses packets, of those that `matches` say (expressions of nftables). */
export function startLoss(enter: readonly string[], matches: readonly string[]): void {
  nft(enter, ["-f", "-"], rules(matches));
}

/** It loses none any more; answers what it has lost. */
export function stopLoss(enter: readonly string[]): PacketCount {
  const counts = Array.from(nft(enter, ["list", "table", "inet", TABLE]).matchAll(/counter packets (\d+)/g), (found) =>
    Number(found[1]),
  );
  nft(enter, ["delete", "table", "inet", TABLE]);
  return { heard: counts[0] ?? 0, dropped: counts[1] ?? 0 };
}

/** Why packets cannot be dropped here, in a few words; null where they can. Must be asked in a namespace of one's own. */
export function whyNoLoss(): string | null {
  try {
    startLoss([], []);
    stopLoss([]);
    return null;
  } catch (error) {
    const { code, stderr, message } = error as NodeJS.ErrnoException & { stderr?: string };
    if (code === "ENOENT") return "the command nft (nftables) is missing";
    return stderr?.trim().split("\n")[0] || message;
  }
}
