import { clock } from "../model/words.ts";
import { savePng, saveRecording, saveSeries, saveSvg, saveTable } from "./exports.ts";
import { openFile } from "./feedClient.ts";
import { PlayIcon } from "./icons.tsx";
import { goLive, seek, togglePlay } from "./player.ts";
import { beats, cursor, link, playing, speed, timeline } from "./store.ts";

const SPEEDS = [0.5, 1, 2, 5, 10, 30];

/** Time: pause, go back, go on faster; and what can be taken along. */
export function Transport() {
  beats.value;
  const of = timeline.value;
  const end = of?.live.at ?? 0;
  const at = cursor.value ?? end;
  return (
    <section class="transport" aria-label="Time">
      <div class="inner">
        <button type="button" disabled={of === null} onClick={togglePlay} aria-label={playing.value ? "Pause" : "Play"}>
          <PlayIcon playing={playing.value} />
        </button>
        <div class="track">
          <Marks />
          <input
            type="range"
            min={0}
            max={Math.max(1, Math.round(end))}
            step={250}
            value={Math.round(at)}
            aria-label="Moment shown"
            aria-valuetext={`${clock(at / 1000)} of ${clock(end / 1000)}`}
            disabled={of === null}
            onInput={(event) => seek(Number(event.currentTarget.value))}
          />
        </div>
        <span class="time number">
          {clock(at / 1000)}
          <span class="quiet wide"> of {clock(end / 1000)}</span>
        </span>
        <select
          aria-label="Speed"
          value={speed.value}
          onChange={(event) => {
            speed.value = Number(event.currentTarget.value);
          }}
        >
          {SPEEDS.map((times) => (
            <option key={times} value={times}>
              {times}×
            </option>
          ))}
        </select>
        <button type="button" onClick={goLive} aria-pressed={cursor.value === null}>
          {link.value === "ended" ? "End" : "Live"}
        </button>
        <Export />
      </div>
    </section>
  );
}

/** Where something was done to the network. */
function Marks() {
  const of = timeline.value;
  if (of === null || of.live.at === 0) return null;
  const places = of.beats.flatMap(({ at, faults }) => (faults === undefined ? [] : [at / of.live.at]));
  return (
    <svg class="marks" viewBox="0 0 1000 10" preserveAspectRatio="none" aria-hidden="true">
      {places.slice(-100).map((place) => (
        <rect key={place} x={place * 1000 - 1.5} y="0" width="3" height="10" fill="var(--bad)" />
      ))}
    </svg>
  );
}

function Export() {
  const items: [string, () => void][] = [
    ["Peers as CSV", saveTable],
    ["Curves as CSV", saveSeries],
    ["Network as PNG", savePng],
    ["Network as SVG", saveSvg],
    ["Recording", saveRecording],
  ];
  const closeMenu = (target: Element): void => target.closest("details")?.removeAttribute("open");
  return (
    <details
      class="menu"
      onKeyDown={(event) => {
        if (event.key === "Escape") closeMenu(event.currentTarget);
      }}
    >
      <summary class="button">Export</summary>
      <div>
        {items.map(([name, run]) => (
          <button
            type="button"
            key={name}
            class="item"
            onClick={(event) => {
              run();
              closeMenu(event.currentTarget);
            }}
          >
            {name}
          </button>
        ))}
        <label class="item">
          Open a recording…
          <input
            type="file"
            accept=".jsonl,.ndjson"
            class="hidden"
            onChange={(event) => {
              const file = event.currentTarget.files?.[0];
              if (file !== undefined) openFile(file);
            }}
          />
        </label>
      </div>
    </details>
  );
}
