import { toLine } from "../feed/format.ts";
import { SERIES } from "../model/series.ts";
import { tableCsv } from "../model/table.ts";
import { networkSvg } from "../view/svg.ts";
import { ink } from "./ink.ts";
import { shown } from "./networkPanel.tsx";
import { save } from "./save.ts";
import { moment } from "./store.ts";
import { shownColumns, shownRows } from "./table.tsx";

export const saveTable = (): void => save("coterie-peers.csv", [tableCsv(shownRows(), shownColumns())], "text/csv");

/** Every series up to the moment shown, a row a beat. */
export function saveSeries(): void {
  const now = moment.value;
  if (now === null) return;
  const lines = [SERIES.join(",")];
  for (let k = 0; k <= now.index; k++) {
    lines.push(SERIES.map((name) => +now.timeline.series.get(name).at(k).toFixed(4)).join(","));
  }
  save("coterie-series.csv", [`${lines.join("\n")}\n`], "text/csv");
}

export function savePng(): void {
  const canvas = document.querySelector("canvas");
  if (canvas === null) return;
  const copy = document.createElement("canvas");
  copy.width = canvas.width;
  copy.height = canvas.height;
  const ctx = copy.getContext("2d");
  if (ctx === null) return;
  ctx.fillStyle = ink.value.paper;
  ctx.fillRect(0, 0, copy.width, copy.height);
  ctx.drawImage(canvas, 0, 0);
  copy.toBlob((blob) => blob !== null && save("coterie-network.png", [blob], "image/png"));
}

export function saveSvg(): void {
  if (shown.view !== null) save("coterie-network.svg", [networkSvg(shown.view, ink.value)], "image/svg+xml");
}

/** The recording up to the moment shown: this page and `coterie demo --replay` open it again. */
export function saveRecording(): void {
  const now = moment.value;
  if (now === null) return;
  const parts = [toLine(now.timeline.header), ...now.timeline.beats.slice(0, now.index + 1).map(toLine)];
  save("coterie-recording.jsonl", parts, "application/x-ndjson");
}
