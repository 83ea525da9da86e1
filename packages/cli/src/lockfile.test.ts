import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

interface Locked {
  readonly version?: string;
  readonly resolved?: string;
  readonly integrity?: string;
  readonly license?: string;
  readonly link?: boolean;
  readonly dev?: boolean;
  readonly devOptional?: boolean;
  readonly hasInstallScript?: boolean;
  readonly os?: readonly string[];
  readonly engines?: { readonly node?: string };
}

const { packages } = JSON.parse(readFileSync(new URL("../../../package-lock.json", import.meta.url), "utf8")) as {
  readonly packages: Readonly<Record<string, Locked>>;
};
/** What others wrote, and of that what reaches those who install Coterie. */
const foreign = Object.entries(packages).filter(([path, { link }]) => path.includes("node_modules/") && link !== true);
const shipped = foreign.filter(([, { dev, devOptional }]) => dev !== true && devOptional !== true);

const nameOf = (path: string): string => path.replace(/^.*node_modules\//, "");
const names = (found: typeof foreign): string[] => [...new Set(found.map(([path]) => nameOf(path)))].sort();

/** They ask for no more than to be named; `A OR B` is ours to choose from. */
const LICENCES = new Set(["MIT", "ISC", "0BSD", "BSD-2-Clause", "BSD-3-Clause", "Apache-2.0", "Unlicense", "WTFPL"]);
const isFree = (licence = ""): boolean => licence.split(/[() ]+/).some((word) => LICENCES.has(word));

/** Whether a Node is within a range as packages write them: alternatives of `*`, `>=` and `^`. */
function runsOn([major, minor]: readonly [number, number], range = "*"): boolean {
  return range.split("||").some((part) => {
    const [, sign, least = "0", more = "0"] = /^\s*(\*|>=|\^|)\s*v?(\d+)?(?:\.(\d+))?/.exec(part)!;
    if (sign === "*") return true;
    const isAbove = major > Number(least) || (major === Number(least) && minor >= Number(more));
    return sign === ">=" ? isAbove : isAbove && major === Number(least);
  });
}

// What each of them can reach stands in SECURITY.md; whoever adds one here adds it there.
describe("the lock file", () => {
  it("names every package by its digest, from a registry and nowhere else", () => {
    expect(shipped.length).toBeGreaterThan(100);
    expect(names(foreign.filter(([, { integrity }]) => !/^sha512-/.test(integrity ?? "")))).toEqual([]);
    const elsewhere = ({ resolved }: Locked): boolean =>
      resolved !== undefined && !/^https:\/\/[^/]+\/.+\/-\/[^/]+\.tgz$/.test(resolved);
    expect(names(foreign.filter(([, locked]) => elsewhere(locked)))).toEqual([]);
  });

  it("has one package that runs something when it is installed", () => {
    expect(names(foreign.filter(([, { hasInstallScript }]) => hasInstallScript === true))).toEqual(["classic-level"]);
  });

  it("ships nothing whose licence asks for more than its name", () => {
    expect(names(shipped.filter(([, { license }]) => !isFree(license)))).toEqual([]);
  });

  it("ships nothing that asks for a later Node than the packages name", () => {
    expect(names(shipped.filter(([, { engines }]) => !runsOn([20, 19], engines?.node)))).toEqual([]);
    // The check sees what it should.
    for (const range of [">=22", "^22 || ^24 || >=26", "^18", ">=20.20"]) expect(runsOn([20, 19], range)).toBe(false);
    for (const range of ["*", ">= 10", "^20.0 || >=22", "^18.18.0 || ^20.9.0 || >=21.1.0"])
      expect(runsOn([20, 19], range)).toBe(true);
  });

  it("ships no machine code for some systems, but classic-level's", () => {
    const native = names(shipped.filter(([, { os }]) => os !== undefined));
    expect(native).toEqual([]);
  });
});
