import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { checkedIn, exportsOf, packages, reportOf } from "./report.mjs";

const folder = mkdtempSync(join(tmpdir(), "coterie-api-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe.each(packages().map((one) => [one.manifest.name, one]))("the public surface of %s", (_, one) => {
  it("is what api.txt says (else, if that is meant: npm run build && npm run api)", () => {
    expect(reportOf(one)).toBe(checkedIn(one));
  });
});

/** Names over all entries but `/internal`: two thirds of what there once were. Whoever needs one more asks which one is not needed. */
const MOST = { "@coterie/core": 74, "@coterie/net": 61, "@coterie/storm": 34 };

it.each(Object.entries(MOST))("%s exports at most %i names", (name, most) => {
  expect(exportsOf(packages().find(({ manifest }) => manifest.name === name)).size).toBeLessThanOrEqual(most);
});

let made = 0;

/** A package whose entry and other files are these texts. */
function surface(files) {
  const path = join(folder, `${made++}`);
  mkdirSync(join(path, "dist"), { recursive: true });
  for (const [name, text] of Object.entries(files)) writeFileSync(join(path, "dist", `${name}.d.ts`), text);
  const exports = { ".": { types: "./dist/index.d.ts" }, "./internal": { types: "./dist/internal.d.ts" } };
  return reportOf({ path, manifest: { name: "made-up", exports } });
}

describe("a report", () => {
  const index = 'export { type Menu, order } from "./order.ts";\nexport * as check from "./check.ts";\n';
  const check = "export declare function whole(value: unknown): number;\n";
  const order = `import type { Dish } from "./dish.ts";
/** What there is; a comment may say { or ;. */
export interface Menu {
    readonly dishes: readonly Dish[];
}
export declare class Kitchen {
    private readonly fire;
    cook(): void;
}
export declare function order(menu: Menu, text: "a;b{", kitchen: Kitchen): {
    readonly price: number;
};
export declare function order(menu: Menu): null;
`;
  const dish = `export type Dish = {
    readonly name: string;
    /** @internal */
    readonly cost: number;
};
export type Unseen = 1;
`;
  const text = surface({ index, check, order, dish });

  it("has every exported name with all of its signatures, and functions of a namespace", () => {
    expect(text).toContain("== made-up: 3 names\n\nMenu, check, order\n");
    expect(text).toContain(
      'function order(menu: Menu, text: "a;b{", kitchen: Kitchen): {\n  readonly price: number;\n};',
    );
    expect(text).toContain("function order(menu: Menu): null;");
    expect(text).toContain("namespace check {\n  function whole(value: unknown): number;\n}");
  });

  it("has the types that these are made of, but nothing internal, no class that is not exported and nothing else", () => {
    expect(text).toContain("== not exported, but part of the above\n\ntype Dish = {\n  readonly name: string;\n};");
    for (const hidden of ["cost", "fire", "class Kitchen", "Unseen", "comment"]) expect(text).not.toContain(hidden);
  });

  it("changes with a declaration, exported or only reached", () => {
    const other = surface({ index, check, order, dish: dish.replace("string", "number") });
    expect(other).not.toBe(text);
    expect(surface({ index, check, order: order.replace("Menu): null", "Menu): 0"), dish })).not.toBe(text);
  });
});
