import { signal } from "@preact/signals";
import finished from "./finished.json" with { type: "json" };
import { type LabNews, play } from "./play.ts";
import { PRESETS, type Preset, presetOf } from "./presets.ts";
import type { RunSums } from "./run.ts";
import { checkSetting, DEFAULTS, fromHash, type Setting, toHash } from "./setting.ts";

/** What the page holds, and what can be done with it: change the setting, start, stop. */
export const setting = signal<Setting>(DEFAULTS);
/** What the curves belong to: the setting may have been changed since. */
export const ran = signal<Setting>(DEFAULTS);
export const points = signal<readonly RunSums[]>([]);
export const running = signal(false);
export const trouble = signal<string | null>(null);
export const said = signal("");
/** Whether the curves came with the page, and were not played in this tab. */
export const shipped = signal(true);
let endRun: (() => void) | null = null;

const RUNS = finished as unknown as Readonly<Record<string, readonly RunSums[]>>;

/** Shows the run of a preset that comes with the page: something is to be seen before anything is computed. */
function showFinished({ name, setting: of }: Preset): void {
  end();
  ran.value = of;
  points.value = RUNS[name] ?? [];
  shipped.value = true;
  said.value = "";
}

/** `?preset=liars` is for pages that show this one in a frame; a whole setting is behind the `#`. */
export function readAddress(): void {
  const asked = new URLSearchParams(location.search).get("preset");
  const named = PRESETS.find(({ name }) => name === asked) ?? PRESETS[0];
  try {
    setting.value = location.hash.length > 1 ? fromHash(location.hash.slice(1)) : named.setting;
    trouble.value = null;
  } catch (error) {
    trouble.value = `The link does not fit: ${(error as Error).message}.`;
  }
  showFinished(presetOf(setting.value) ?? named);
}

/** Takes a preset's setting, and shows its finished run. */
export function choose(preset: Preset): void {
  change(preset.setting);
  showFinished(preset);
}

export function change(next: Setting): void {
  setting.value = next;
  try {
    checkSetting(next);
    trouble.value = null;
    history.replaceState(null, "", `#${toHash(next)}`);
  } catch (error) {
    trouble.value = `${(error as Error).message}.`;
  }
}

function end(): void {
  endRun?.();
  endRun = null;
  running.value = false;
}

export function stop(): void {
  end();
  said.value = `Stopped after ${points.value.at(-1)?.round ?? 0} rounds.`;
}

export function start(): void {
  end();
  points.value = [];
  shipped.value = false;
  ran.value = setting.value;
  running.value = true;
  said.value = "Running.";
  const heard = (data: LabNews): void => {
    if (data.kind === "failed") {
      trouble.value = data.message;
      end();
      return;
    }
    points.value = [...points.value, ...data.checkpoints];
    if (!data.done) return;
    said.value = "Done.";
    end();
  };
  endRun = beside(setting.value, heard) ?? play(setting.value, heard);
}

/** Plays in a worker; null where the page may have none, as when it was opened from a disk. Returns a way to end it. */
function beside(of: Setting, heard: (news: LabNews) => void): (() => void) | null {
  let worker: Worker;
  try {
    worker = new Worker(new URL("./worker.ts", import.meta.url), { type: "module" });
  } catch {
    return null;
  }
  worker.onmessage = ({ data }: MessageEvent<LabNews>) => heard(data);
  worker.onerror = () => heard({ kind: "failed", message: "The simulation could not be started." });
  worker.postMessage(of);
  return () => worker.terminate();
}
