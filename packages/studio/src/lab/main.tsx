import { policyKinds } from "@coterie/core";
import { signal } from "@preact/signals";
import { render } from "preact";
import { bytesText } from "../model/words.ts";
import { Chart, type Curve } from "../page/chart.tsx";
import { Shell } from "../page/shell.tsx";
import type { Checkpoint } from "./run.ts";
import { BOUNDS, checkSetting, DEFAULTS, FIELDS, type Field, fromHash, type Setting, toHash } from "./setting.ts";
import type { LabNews } from "./worker.ts";

const setting = signal<Setting>(DEFAULTS);
/** What the curves belong to: the setting may have been changed since. */
const ran = signal<Setting>(DEFAULTS);
const points = signal<readonly Checkpoint[]>([]);
const running = signal(false);
const trouble = signal<string | null>(null);
const said = signal("");
let worker: Worker | null = null;

const FIELD_TEXT: Readonly<Record<Field, string>> = {
  peers: "Peers",
  clusters: "Clusters",
  dimension: "Features",
  arms: "Arms a round",
  noise: "Noise",
  rounds: "Rounds",
  seed: "Seed",
};
const DASHES = [undefined, [7, 3], [2, 3], [9, 3, 2, 3], [5, 2], [1, 4], [9, 3, 2, 3, 2, 3]] as const;
const curveOf = (name: string, k: number): Curve => {
  const dash = DASHES[k % DASHES.length];
  return { name, colour: k % 7, ...(dash !== undefined && { dash }) };
};

function readAddress(): void {
  try {
    setting.value = fromHash(location.hash.slice(1));
    trouble.value = null;
  } catch (error) {
    trouble.value = `The link does not fit: ${(error as Error).message}.`;
  }
}

function change(next: Setting): void {
  setting.value = next;
  try {
    checkSetting(next);
    trouble.value = null;
    history.replaceState(null, "", `#${toHash(next)}`);
  } catch (error) {
    trouble.value = `${(error as Error).message}.`;
  }
}

function stop(): void {
  worker?.terminate();
  worker = null;
  running.value = false;
}

function start(): void {
  stop();
  points.value = [];
  ran.value = setting.value;
  running.value = true;
  said.value = "Running.";
  worker = new Worker(new URL("./worker.ts", import.meta.url), { type: "module" });
  worker.onmessage = ({ data }: MessageEvent<LabNews>) => {
    if (data.kind === "failed") {
      trouble.value = data.message;
      stop();
      return;
    }
    points.value = [...points.value, ...data.checkpoints];
    if (!data.done) return;
    said.value = "Done.";
    stop();
  };
  worker.onerror = () => {
    trouble.value = "The simulation could not be started.";
    stop();
  };
  worker.postMessage(setting.value);
}

function SettingForm() {
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
        <button
          type="button"
          onClick={() => {
            navigator.clipboard.writeText(location.href).then(
              () => {
                said.value = "The link is copied.";
              },
              () => {
                said.value = "The address of this page is the link.";
              },
            );
          }}
        >
          Copy link
        </button>
      </div>
      <p class="small quiet" role="status">
        {said.value}
      </p>
    </form>
  );
}

function Results() {
  const list = points.value;
  const { policies, peers, rounds } = ran.value;
  const last = list.at(-1);
  if (last === undefined) {
    return (
      <p class="quiet">
        The same core that real peers run on simulates them here, in this tab: all policies meet the same world, round
        by round. Press Run. The address of this page holds the setting, so it can be shared as a link.
      </p>
    );
  }
  const x = list.map(({ round }) => round);
  const curves = policies.map(curveOf);
  const of = (pick: (point: Checkpoint) => readonly (number | null)[]): (number | null)[][] =>
    policies.map((_, k) => list.map((point) => pick(point)[k]));
  const best = policies.map((kind, k) => ({ kind, regret: last.regret[k] })).sort((a, b) => a.regret - b.regret);
  const senders = policies.flatMap((kind, k) => ((last.bytes[k] ?? 0) > 0 ? [{ kind, k }] : []));
  return (
    <div class="results">
      <progress max={rounds} value={last.round} aria-label="Rounds played" />
      <div class="charts">
        <Chart
          title="Regret a peer, summed"
          sentence={`Least: ${best[0].kind}, ${(best[0].regret / peers).toFixed(1)} after ${last.round} rounds.`}
          curves={curves}
          data={[x, ...of(({ regret }) => regret.map((sum) => sum / peers))]}
          xFormat={String}
        />
        <Chart
          title="Reward a choice, so far"
          sentence="What a choice paid on average, from the first round on."
          curves={curves}
          data={[x, ...of(({ reward, round }) => reward.map((sum) => sum / (peers * round)))]}
          format={(value) => value.toFixed(2)}
          xFormat={String}
        />
        {senders.length > 0 && (
          <Chart
            title="Bytes sent, summed"
            sentence="As the wire format would send it, by all peers; policies that send nothing are left out."
            curves={senders.map(({ kind, k }) => curveOf(kind, k))}
            data={[x, ...senders.map(({ k }) => list.map(({ bytes }) => bytes[k]))]}
            format={bytesText}
            xFormat={String}
          />
        )}
      </div>
      <Answers last={last} />
    </div>
  );
}

function Answers({ last }: { last: Checkpoint }) {
  const { policies, peers } = ran.value;
  return (
    <div class="panel wide">
      <table class="answers" aria-label="Results">
        <thead>
          <tr>
            <th scope="col">Policy</th>
            <th scope="col">Regret a peer</th>
            <th scope="col">Reward a choice</th>
            <th scope="col">Sent</th>
          </tr>
        </thead>
        <tbody>
          {policies.map((kind, k) => {
            const bytes = last.bytes[k];
            return (
              <tr key={kind}>
                <th scope="row">{kind}</th>
                <td>{(last.regret[k] / peers).toFixed(2)}</td>
                <td>{(last.reward[k] / (peers * last.round)).toFixed(4)}</td>
                <td>{bytes === null ? "has a centre" : bytesText(bytes)}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

const App = () => (
  <Shell page="/lab" state={<span>Simulated in this tab</span>}>
    <div class="lab">
      <SettingForm />
      <Results />
    </div>
  </Shell>
);

readAddress();
addEventListener("hashchange", readAddress);
const root = document.getElementById("app");
if (root !== null) render(<App />, root);
