import { homedir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { cacheDirectory, dataDirectory } from "./directories.ts";

it("are where the environment says, most particular first", () => {
  expect(cacheDirectory({ COTERIE_CACHE: "/c", XDG_CACHE_HOME: "/x" })).toBe("/c");
  expect(cacheDirectory({ XDG_CACHE_HOME: "/x" })).toBe(join("/x", "coterie"));
  expect(cacheDirectory({ COTERIE_CACHE: "" })).toBe(join(homedir(), ".cache", "coterie"));
  expect(dataDirectory({ COTERIE_HOME: "/c", XDG_DATA_HOME: "/x" })).toBe("/c");
  expect(dataDirectory({ XDG_DATA_HOME: "/x" })).toBe(join("/x", "coterie"));
  expect(dataDirectory({})).toBe(join(homedir(), ".local", "share", "coterie"));
});
