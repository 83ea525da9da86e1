import { readFileSync } from "node:fs";
import { HUB_LIMITS } from "@coterie/net/internal";
import { expect, it } from "vitest";
import { limitFlags, limitsOf } from "./hubLimits.ts";

const PAGE = readFileSync(new URL("../../../docs/operate.md", import.meta.url), "utf8");
const kebab = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

it("every limit of a hub is a flag, with the hub's own default, and a row of docs/operate.md", () => {
  const documented = Array.from(PAGE.matchAll(/^\| `--(max-[a-z-]+)` \| ([\d,]+) \|/gm), ([, flag, preset]) => [
    flag,
    Number(preset?.replaceAll(",", "")),
  ]);
  const own = Object.entries(HUB_LIMITS).map(([name, preset]) => [`max-${kebab(name)}`, preset]);
  const flags = Object.entries(limitFlags).map(([name, { brief }]) => [
    kebab(name),
    Number(/\(default: (\d+)\)$/.exec(brief)?.[1]),
  ]);
  expect(documented).toEqual(own);
  expect(flags).toEqual(own);
});

it("hands on the limits that were given, and no others", () => {
  expect(limitsOf({})).toEqual({});
  expect(limitsOf({ maxRoomsPerPeer: 2, maxConnections: 5 })).toEqual({ connections: 5, roomsPerPeer: 2 });
});
