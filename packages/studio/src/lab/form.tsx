import { policyKinds } from "@coterie/core";
import { save } from "../page/save.ts";
import { change, running, said, setting, start, stop, trouble } from "./session.ts";
import { BOUNDS, experimentOf, FIELDS, type Field } from "./setting.ts";

const FIELD_TEXT: Readonly<Record<Field, string>> = {
  peers: "Peers",
  clusters: "Clusters",
  dimension: "Features",
  arms: "Arms a round",
  noise: "Noise",
  rounds: "Rounds",
  seed: "Seed",
};

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
            value={now[field]}
            onInput={(event) => change({ ...now, [field]: event.currentTarget.valueAsNumber })}
          />
        </label>
      ))}
      <fieldset>
        <legend>Policies</legend>
        <div class="policies">
          {policyKinds.map((kind) => (
            <label key={kind}>
              <input
                type="checkbox"
                checked={now.policies.includes(kind)}
                onChange={() => {
                  const policies = policyKinds.filter((other) => (other === kind) !== now.policies.includes(other));
                  change({ ...now, policies });
                }}
              />
              {kind}
            </label>
          ))}
        </div>
      </fieldset>
      {trouble.value !== null && (
        <p class="bad small" role="alert">
          {trouble.value}
        </p>
      )}
      <div class="actions">
        <button type="submit" class="primary" disabled={trouble.value !== null}>
          {running.value ? "Run anew" : "Run"}
        </button>
        <button type="button" disabled={!running.value} onClick={stop}>
          Stop
        </button>
        <button type="button" onClick={copyLink}>
          Copy link
        </button>
        <button
          type="button"
          disabled={trouble.value !== null}
          title="A file that coterie run takes; it gives the same numbers"
          onClick={() => save("from-the-page.json", [JSON.stringify(experimentOf(now), null, 2)], "application/json")}
        >
          Save as file
        </button>
      </div>
      <p class="small quiet" role="status">
        {said.value}
      </p>
    </form>
  );
}
