import { parquetMetadata, parquetReadObjects } from "hyparquet";
import { describe, expect, it } from "vitest";
import { gather } from "../figures/gather.ts";
import { madeResults, madeRun } from "../testing/results.ts";
import { checkpointColumns, momentsOf, runColumns } from "./columns.ts";
import { csv } from "./csv.ts";
import { figureCsv } from "./figure.ts";
import { checkpointsBeside } from "./names.ts";
import { parquet } from "./parquet.ts";

describe("comma-separated values", () => {
  it("are quoted where they must be", () => {
    expect(
      csv(
        ["a", "b,c"],
        [
          ['say "hi"', "two\nlines"],
          [null, 1.5],
          ["dccb, sum", -0.1],
        ],
      ),
    ).toBe('a,"b,c"\n"say ""hi""","two\nlines"\n,1.5\n"dccb, sum",-0.1\n');
  });

  it("keep every bit of a number", () => {
    const value = 0.1 + 0.2;
    expect(Number(csv(["x"], [[value]]).split("\n")[1])).toBe(value);
  });
});

describe("the columns of files", () => {
  it("are the fields of the rows, in their order", () => {
    const [result] = madeResults();
    expect(runColumns.map(({ name }) => name)).toEqual(["cell", ...Object.keys(result!.row)]);
    expect(checkpointColumns.map(({ name }) => name)).toEqual([
      ...["cell", "world", "policy", "kind", "seed", "peers"],
      ...Object.keys(result!.checkpoints[0]!),
    ]);
  });

  it("lie beside each other as files", () => {
    expect(checkpointsBeside("out/runs.csv")).toBe("out/runs-checkpoints.csv");
    expect(checkpointsBeside("out.d/runs")).toBe("out.d/runs-checkpoints");
  });
});

describe("Parquet", () => {
  const read = (bytes: Uint8Array) =>
    parquetReadObjects({
      file: bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) as ArrayBuffer,
    });

  it("gives back every run, nulls and large seeds too", async () => {
    const results = madeResults({ seeds: [1, 2, 9007199254740991], worlds: [{ name: 'a "world", with\nlines' }] });
    const rows = await read(parquet(runColumns, results));
    expect(rows).toHaveLength(results.length);
    rows.forEach((row, k) => {
      const { cell, row: expected } = results[k]!;
      expect(row).toEqual({ cell, ...expected, seed: BigInt(expected.seed) });
    });
    expect(rows.some((row) => row.sentBytes === null)).toBe(true);
    expect(rows.some((row) => row.exactAtRound === null)).toBe(true);
  });

  it("gives back every checkpoint", async () => {
    const moments = momentsOf(madeResults());
    const bytes = parquet(checkpointColumns, moments);
    const rows = await read(bytes);
    expect(rows).toHaveLength(4 * 8 * 20);
    const last = moments.at(-1)!;
    expect(rows.at(-1)).toMatchObject({ ...last.checkpoint, policy: "oracle", seed: 8n });
    expect(Number(parquetMetadata(bytes.buffer as ArrayBuffer).num_rows)).toBe(640);
  });
});

describe("the data of a figure", () => {
  it("has a line for each point", () => {
    const data = gather(madeRun(), { id: "r", title: "R", kind: "curves", measure: "regret" });
    const lines = figureCsv(data).trim().split("\n");
    expect(lines[0]).toBe("panel,series,round,regret,low,high,seeds");
    expect(lines).toHaveLength(1 + 4 * 20);
    expect(lines[41]).toMatch(/^four clusters,"dccb, sum",50,[\d.]+,[\d.]+,[\d.]+,8$/);
  });

  it("has the price of a trade-off", () => {
    const data = gather(madeRun(), { id: "t", title: "T", kind: "tradeoff", measure: "regret", price: "bytes" });
    const lines = figureCsv(data).trim().split("\n");
    expect(lines[0]).toBe("panel,series,regret,low,high,seeds,bytes,bytes low,bytes high");
    expect(lines).toHaveLength(4);
    expect(lines[3]).toMatch(/,8,4000,4000,4000$/);
  });
});
