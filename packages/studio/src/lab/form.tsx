import { policyKinds } from "@coterie/core";
import { signal } from "@preact/signals";
import { save } from "../page/save.ts";
import { ABOUT } from "./policies.ts";
import { PRESETS, presetOf } from "./presets.ts";
import { change, choose, running, said, setting, start, stop, trouble } from "./session.ts";
import { BOUNDS, experimentOf, FIELDS, type SettingField } from "./setting.ts";

const FIELD_TEXT: Readonly<Record<SettingField, string>> = {
  peers: "Peers",
  clusters: "Clusters",
  dimension: "Features",
  arms: "Arms a round",
  noise: "Noise",
  rounds: "Rounds",
  seed: "Seed",
  items: "Fixed items (0: fresh)",
  moves: "Tastes change after round",
  liars: "Liars",
};

/** The policy that is pointed at, or has the focus. */
const pointed = signal<(typeof policyKinds)[number] | null>(null);

/** Settings worth looking at, each with a run that is shown at once. */
export const Presets = () => (
  <fieldset class="presets" aria-label="Presets">
    {PRESETS.map((preset) => (
      <button
        type="button"
        key={preset.name}
        aria-pressed={presetOf(setting.value)?.name === preset.name}
        onClick={() => choose(preset)}
      >
        {preset.title}
      </button>
    ))}
  </fieldset>
);

/** Run, or stop. */
export const RunButton = () =>
  running.value ? (
    <button type="button" class="primary" onClick={stop}>
      Stop
    </button>
  ) : (
    <button type="submit" class="primary" disabled={trouble.value !== null}>
      Run
    </button>
  );

function copyLink(): void {
  navigator.clipboard.writeText(location.href).then(
    () => {
      said.value = "The link is copied.";
    },
    () => {
      said.value = "The address of this page is the link.";
    },
  );
}

export function SettingForm() {
  const now = setting.value;
  return (
    <form
      class="panel setting"
      aria-label="Setting"
      onSubmit={(event) => {
        event.preventDefault();
        if (trouble.value === null) start();
      }}
    >
      <h2>A world and policies</h2>
      {FIELDS.map((field) => (
        <label class="field" key={field}>
          {FIELD_TEXT[field]}
          <input
            type="number"
            min={BOUNDS[field][0]}
            max={BOUNDS[field][1]}
            step={field === "noise" ? 0.1 : 1}
            value={Number.isNaN(now[field]) ? "" : now[field]}
            aria-invalid={Number.isNaN(now[field])}
            onInput={(event) => change({ ...now, [field]: event.currentTarget.valueAsNumber })}
          />
        </label>
      ))}
      <fieldset>
        <legend>Policies</legend>
        <div class="policies">
          {policyKinds.map((kind) => (
            <label
              key={kind}
              onMouseEnter={() => {
                pointed.value = kind;
              }}
              onMouseLeave={() => {
                pointed.value = null;
              }}
            >
              <input
                type="checkbox"
                checked={now.policies.includes(kind)}
                aria-describedby={`about-${kind}`}
                onFocus={() => {
                  pointed.value = kind;
                }}
                onBlur={() => {
                  pointed.value = null;
                }}
                onChange={() => {
                  const policies = policyKinds.filter((other) => (other === kind) !== now.policies.includes(other));
                  change({ ...now, policies });
                }}
              />
              {kind}
            </label>
          ))}
        </div>
        {policyKinds.map((kind) => (
          <span key={kind} class="hidden" id={`about-${kind}`}>
            {ABOUT[kind]}
          </span>
        ))}
        <p class="small about" aria-hidden="true">
          {pointed.value === null
            ? "Point at a policy, or go to it with Tab, to read what it is."
            : ABOUT[pointed.value]}
        </p>
      </fieldset>
      {trouble.value !== null && (
        <p class="bad small" role="alert">
          {trouble.value}
        </p>
      )}
      <div class="actions">
        <RunButton />
        <button type="button" onClick={copyLink}>
          Copy link
        </button>
        <button
          type="button"
          disabled={trouble.value !== null || now.liars > 0}
          aria-describedby="file"
          onClick={() => save("from-the-page.json", [JSON.stringify(experimentOf(now), null, 2)], "application/json")}
        >
          Save as file
        </button>
      </div>
      <p class="small quiet" id="file">
        {now.liars > 0
          ? "Experiment files know no liars, so this one can be played here alone."
          : "coterie run takes the file, and gives the same numbers."}
      </p>
      <p class="small quiet" role="status">
        {said.value}
      </p>
    </form>
  );
}
