import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { coterie, scratch } from "../testing/coterie.ts";
import { refused } from "../testing/refused.ts";

const folder = scratch();
afterAll(folder.remove);

describe("coterie completion", () => {
  const scripts = new Map<string, string>();
  beforeAll(async () => {
    const ended = await Promise.all(["bash", "zsh", "fish"].map((shell) => coterie(["completion", shell])));
    ["bash", "zsh", "fish"].forEach((shell, k) => {
      expect(ended[k]!.code).toBe(0);
      scripts.set(shell, ended[k]!.out);
    });
    writeFileSync(folder.path("coterie.bash"), scripts.get("bash")!);
  });

  /** What bash offers behind these words. */
  const offered = (...words: string[]): string[] => {
    const script = 'source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _coterie; declare -p COMPREPLY';
    const out = execFileSync("bash", ["-c", script, "bash", folder.path("coterie.bash"), "coterie", ...words]);
    return Array.from(out.toString().matchAll(/\]="([^"]*)"/g), ([, word]) => word!);
  };

  it("completes commands, options, experiments and datasets in bash", () => {
    expect(offered("re")).toEqual(["report", "replay", "restore"]);
    expect(offered("run", "paper-")).toEqual(["paper-figure", "paper-table"]);
    expect(offered("run", "quick", "--se")).toEqual(["--seeds"]);
    expect(offered("data", "fetch", "last")).toEqual(["lastfm"]);
    expect(offered("hub", "--max-rooms-per-")).toEqual(["--max-rooms-per-peer", "--max-rooms-per-prefix"]);
  });

  it.each(["bash", "zsh", "fish"])("knows every command and option in %s", async (shell) => {
    const script = scripts.get(shell)!;
    const { out: help } = await coterie(["--help"]);
    const commands = [...help.matchAll(/^ {2}([a-z]+) {2,}/gm)].map(([, name]) => name!);
    expect(commands.length).toBeGreaterThan(15);
    for (const command of commands) expect(script).toMatch(new RegExp(`[ '"]${command}[ '":]`));
    for (const option of ["max-rooms-per-peer", "tables", "reward-timeout-ms"]) expect(script).toContain(option);
  });

  it("knows no other shell", async () => {
    const { code, err } = await refused(["completion", "tcsh"]);
    expect([code, err]).toEqual([2, 'coterie: SHELL must be one of bash, zsh, fish, but is "tcsh"\n']);
  });
});
