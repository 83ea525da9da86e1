import { policyKinds } from "@coterie/core";
import type { PolicyKind } from "@coterie/core/internal";
import { bytesText } from "../model/words.ts";
import { Chart, type Curve, Plot } from "../page/chart.tsx";
import { captionOf } from "./caption.ts";
import { presetOf } from "./presets.ts";
import type { RunSums } from "./run.ts";
import { points, ran, running, shipped } from "./session.ts";
import type { Setting } from "./setting.ts";

/** A policy looks the same whatever stands beside it; kindred and solo as "together" and "alone" do elsewhere. */
const LOOKS: readonly PolicyKind[] = ["kindred", "solo", "dccb", "oracle"];
const OTHERS = policyKinds.filter((kind) => !LOOKS.includes(kind));
const curveOf = (name: PolicyKind): Curve => ({ name, look: [...LOOKS, ...OTHERS].indexOf(name) });

/** The curve that says most, what was learnt from it, and where it comes from. */
export function Finding({ height }: { height?: number }) {
  const list = points.value;
  const of = ran.value;
  const honest = of.peers - of.liars;
  const preset = presetOf(of);
  const [after = "", ...sentences] = captionOf(of, list);
  const data = of.policies.map((_, k) => list.map(({ regret }) => regret[k] / honest));
  return (
    <section class="panel chart finding" aria-labelledby="finding">
      <h2 id="finding">{preset?.title ?? "Your setting"}: regret a peer, summed</h2>
      <p>{preset?.about ?? describe(of)}</p>
      <Plot
        title="Regret a peer, summed"
        sentence=""
        curves={of.policies.map((kind) => curveOf(kind))}
        data={[list.map(({ round }) => round), ...data]}
        xFormat={String}
        height={height ?? 240}
      />
      <div class="caption">
        <h3>{after === "" ? "What it shows" : `What it shows. ${after}`}</h3>
        <ul>
          {sentences.map((text) => (
            <li key={text}>{text}</li>
          ))}
        </ul>
        <p class="small">
          {shipped.value
            ? "This run came with the page (node packages/studio/scripts/lab-runs.mjs). Run plays it again here."
            : "Played in this tab by the core that real peers run on."}
        </p>
      </div>
    </section>
  );
}

const describe = ({ peers, clusters, rounds }: Setting): string =>
  `${peers} peers of ${clusters} tastes, ${rounds} rounds. All policies meet the same world, round by round.`;

export function Results() {
  const list = points.value;
  const { policies, peers, liars, rounds } = ran.value;
  const honest = peers - liars;
  const last = list.at(-1);
  const x = list.map(({ round }) => round);
  const curves = policies.map((kind) => curveOf(kind));
  const rewards = policies.map((_, k) => list.map(({ reward, round }) => reward[k] / (honest * round)));
  const senders = policies.flatMap((kind, k) => ((last?.bytes[k] ?? 0) > 0 ? [{ kind, k }] : []));
  return (
    <div class="results">
      <progress
        class={running.value ? "" : "done"}
        max={rounds}
        value={last?.round ?? 0}
        aria-label="Rounds played"
        aria-hidden={!running.value}
      />
      <Finding />
      <div class="charts">
        <Chart
          title="Reward a choice, so far"
          sentence="What a choice paid on average, from the first round on."
          curves={curves}
          data={[x, ...rewards]}
          xFormat={String}
        />
        <Chart
          title="Bytes sent, summed"
          sentence="As the wire format would send it, by all peers; policies that send nothing are left out."
          curves={senders.map(({ kind }) => curveOf(kind))}
          data={[x, ...senders.map(({ k }) => list.map(({ bytes }) => bytes[k]))]}
          unit="bytes"
          xFormat={String}
        />
      </div>
      {last !== undefined && <Answers last={last} />}
    </div>
  );
}

function Answers({ last }: { last: RunSums }) {
  const { policies, peers, liars } = ran.value;
  const honest = peers - liars;
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
                <td>{(last.regret[k] / honest).toFixed(2)}</td>
                <td>{(last.reward[k] / (honest * last.round)).toFixed(4)}</td>
                <td>{bytes === null ? "has a centre" : bytesText(bytes)}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}
