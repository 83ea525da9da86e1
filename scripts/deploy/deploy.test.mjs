import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import { install, present } from "../debian.mjs";
import { layOut } from "./image.mjs";
import { exposures, MOST, UNITS } from "./units.mjs";

const scratch = mkdtempSync(join(tmpdir(), "coterie-deploy-"));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));
const deploy = fileURLToPath(new URL("../../deploy", import.meta.url));
const analyses = () => present(["systemd-analyze"]) !== null || install("systemd");

describe("the units", () => {
  it("leave little of the system open to what runs in them", () => {
    // Elsewhere there is no systemd to ask, and none to run them.
    if (!analyses()) return expect(process.platform === "linux" && process.getuid?.() === 0).toBe(false);
    for (const [name, level] of Object.entries(exposures())) expect(level, name).toBeLessThan(MOST);
    const open = join(scratch, "open");
    mkdirSync(open);
    for (const name of UNITS) {
      const unit = readFileSync(join(deploy, name), "utf8");
      writeFileSync(join(open, name), unit.replace(/^(?:SystemCall|Restrict|Capability|Private).*$/gm, ""));
    }
    for (const level of Object.values(exposures(open))) expect(level).toBeGreaterThan(MOST);
  });
});

describe("the image", { timeout: 300_000 }, () => {
  const image = join(scratch, "image");
  const command = join(image, "node_modules", "coterie", "bin", "coterie.js");

  it("holds what runs, and nothing else", () => {
    layOut(image);
    const files = readdirSync(image, { recursive: true }).map(String);
    expect(files.filter((file) => /^node_modules\/(?:@coterie\/[^/]+|coterie)\/(?:src|tsconfig)/.test(file))).toEqual(
      [],
    );
    expect(files.filter((file) => /\.(?:[cm]?ts|tsbuildinfo|map)$/.test(file))).toEqual([]);
    for (const tool of ["typescript", "vitest", "@biomejs", "playwright-core"]) {
      expect(files).not.toContain(join("node_modules", tool));
    }
  });

  it("starts a peer from another folder, which answers and stops", async () => {
    const data = join(scratch, "data");
    mkdirSync(data);
    const args = [
      "peer",
      "--room",
      "r",
      "--dimension",
      "2",
      "--store",
      "store",
      "--http",
      "127.0.0.1:0",
      "--listen",
      "none",
    ];
    const peer = spawn(process.execPath, [command, ...args], { cwd: data, stdio: ["ignore", "pipe", "inherit"] });
    const ended = new Promise((resolve) => peer.once("exit", resolve));
    const said = await new Promise((resolve, reject) => {
      peer.stdout.once("data", (text) => resolve(String(text)));
      ended.then((code) => reject(new Error(`it ended with ${code}`)));
    });
    const api = /API at (http:\S+?),/.exec(said)?.[1];
    expect((await fetch(`${api}/health`)).status).toBe(200);
    peer.kill("SIGTERM");
    expect(await ended).toBe(0);
    const run = spawnSync(process.execPath, [command, "inspect", join(data, "store")], { encoding: "utf8" });
    expect([run.status, run.stderr]).toEqual([0, ""]);
  });

  it("is made by the Containerfile, of a version of Node that is pinned, and /data belongs to its user", () => {
    const lines = readFileSync(join(deploy, "Containerfile"), "utf8").split("\n");
    expect(lines).toContain("RUN npm ci && node scripts/deploy/image.mjs /image");
    expect(lines.find((line) => line.startsWith("ARG NODE="))).toMatch(/^ARG NODE=node:\d+\.\d+\.\d+-\w+-slim$/);
    expect(lines.filter((line) => line.startsWith("COPY --from"))).toEqual(["COPY --from=build /image /coterie"]);
    expect(lines).toContain("RUN install -d -o node -g node -m 700 /data");
    expect(lines.indexOf("USER node")).toBeGreaterThan(lines.indexOf("RUN install -d -o node -g node -m 700 /data"));
  });
});
