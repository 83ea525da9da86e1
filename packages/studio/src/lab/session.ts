import { signal } from "@preact/signals";
import type { Checkpoint } from "./run.ts";
import { checkSetting, DEFAULTS, fromHash, type Setting, toHash } from "./setting.ts";
import type { LabNews } from "./worker.ts";

/** What the page holds, and what can be done with it: change the setting, start, stop. */
export const setting = signal<Setting>(DEFAULTS);
/** What the curves belong to: the setting may have been changed since. */
export const ran = signal<Setting>(DEFAULTS);
export const points = signal<readonly Checkpoint[]>([]);
export const running = signal(false);
export const trouble = signal<string | null>(null);
export const said = signal("");
let worker: Worker | null = null;

export function readAddress(): void {
  try {
    setting.value = fromHash(location.hash.slice(1));
    trouble.value = null;
  } catch (error) {
    trouble.value = `The link does not fit: ${(error as Error).message}.`;
  }
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
  worker?.terminate();
  worker = null;
  running.value = false;
}

export function stop(): void {
  end();
  said.value = `Stopped after ${points.value.at(-1)?.round ?? 0} rounds.`;
}

export function start(): void {
  end();
  points.value = [];
  ran.value = setting.value;
  running.value = true;
  said.value = "Running.";
  worker = new Worker(new URL("./worker.ts", import.meta.url), { type: "module" });
  worker.onmessage = ({ data }: MessageEvent<LabNews>) => {
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
  worker.onerror = () => {
    trouble.value = "The simulation could not be started.";
    end();
  };
  worker.postMessage(setting.value);
}
