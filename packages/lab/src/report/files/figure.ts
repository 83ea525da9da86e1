import type { FigureData } from "../figures/data.ts";
import { type CsvValue, csv } from "./csv.ts";

/** The numbers of a figure, one line for each point. */
export function figureCsv(data: FigureData): string {
  const priced = data.price !== null;
  const x = data.kind === "curves" ? "round" : data.kind === "against" || data.kind === "loglog" ? data.xTitle : null;
  const header = [
    "panel",
    "series",
    ...(x === null ? [] : [x]),
    data.relativeTo === null ? data.measure.name : `${data.measure.name} over ${data.relativeTo}`,
    "low",
    "high",
    "seeds",
    ...(priced ? [data.price.name, `${data.price.name} low`, `${data.price.name} high`] : []),
  ];
  const rows: CsvValue[][] = data.panels.flatMap((panel) =>
    panel.series.flatMap((series) =>
      series.points.map(({ x: at, y, price }) => [
        panel.name,
        series.name,
        ...(x === null ? [] : [at]),
        y.value,
        y.low,
        y.high,
        y.count,
        ...(priced ? [price?.value ?? null, price?.low ?? null, price?.high ?? null] : []),
      ]),
    ),
  );
  return csv(header, rows);
}
