import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { coterie, scratch } from "../testing/coterie.ts";
import { refused } from "../testing/refused.ts";

const folder = scratch();
afterAll(folder.remove);
const data = process.env.COTERIE_DATA;
/** A home of its own, so that nothing of this machine's is read or changed. */
const home = { COTERIE_HOME: folder.path("home"), COTERIE_CACHE: folder.path("cache"), COTERIE_DATA: "" };

describe("coterie data", () => {
  it("lists what is known and where it is", async () => {
    const { code, out } = await coterie(["data", "list", "--json"], home);
    expect(code).toBe(0);
    const { datasets } = JSON.parse(out) as { datasets: { name: string; directory: string | null }[] };
    expect(datasets.map(({ name }) => name)).toContain("lastfm");
    expect(datasets.every(({ directory }) => directory === null)).toBe(true);
  });

  it("refuses a dataset it does not know, and a directory that is not there", async () => {
    const unknown = await refused(["data", "check", "netflix", "."], home);
    expect(unknown.code).toBe(2);
    expect(unknown.err).toContain("lastfm");
    const nowhere = await refused(["data", "import", "lastfm", folder.path("nowhere")], home);
    expect(nowhere.code).toBe(2);
    expect(nowhere.err).toContain("nowhere");
  });

  it.skipIf(!data)(
    "imports a complete copy, and calls a partial one partial with exit code 3 (set COTERIE_DATA)",
    async () => {
      const lastfm = await coterie(["data", "import", "lastfm", join(data!, "lastfm-2k")], home);
      expect(lastfm).toMatchObject({ code: 0, out: expect.stringContaining("lastfm: complete") });
      expect((await coterie(["data", "check", "lastfm"], home)).code).toBe(0);
      const delicious = await coterie(["data", "check", "delicious", join(data!, "delicious-2k"), "--json"], home);
      expect(delicious.code).toBe(3);
      expect(JSON.parse(delicious.out)).toMatchObject({ status: "partial" });
    },
  );
});
