import { figuresOf, report, tableOf } from "@coterie/lab";
import { buildCommand } from "@stricli/core";
import { guarded } from "../guard.ts";
import { terminal } from "../terminal.ts";

interface ReportFlags {
  readonly html?: string;
  readonly svg?: string;
  readonly csv?: string;
  readonly parquet?: string;
  readonly tables?: string;
  readonly json: boolean;
}

const path = (brief: string, placeholder: string) =>
  ({ kind: "parsed", parse: String, optional: true, brief, placeholder }) as const;

export const reportCommand = buildCommand<ReportFlags, string[]>({
  docs: {
    brief: "Tables and figures of finished runs; several directories (shards) are merged",
    fullDescription:
      "Prints the tables and what each figure says. --html writes one self-contained page with the figures; --svg, --csv and --parquet write the figures and the numbers by themselves (the tables also with one row per checkpoint, beside the file named). --tables writes the tables of means and intervals for a paper.",
  },
  parameters: {
    flags: {
      html: path("write one page with everything", "FILE"),
      svg: path("write each figure as SVG", "DIR"),
      csv: path("write a row per run, and per checkpoint beside it", "FILE"),
      parquet: path("the same as Parquet", "FILE"),
      tables: path("write the tables: as LaTeX (FILE.tex) or CSV (FILE.csv)", "FILE"),
      json: { kind: "boolean", default: false, withNegated: false, brief: "print everything as JSON" },
    },
    positional: {
      kind: "array",
      minimum: 1,
      parameter: { brief: "a directory of results", parse: String, placeholder: "DIR" },
    },
  },
  func({ json, ...files }, ...directories) {
    return guarded(async () => {
      const {
        text,
        document,
        files: written,
      } = await report(directories, { ...files, ...terminal(), figures: figuresOf, table: tableOf });
      process.stdout.write(json ? `${JSON.stringify(document)}\n` : `${text}\n`);
      for (const file of written) process.stderr.write(`wrote ${file}\n`);
    });
  },
});
