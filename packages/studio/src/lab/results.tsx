import { bytesText } from "../model/words.ts";
import { Chart, type Curve } from "../page/chart.tsx";
import type { Checkpoint } from "./run.ts";
import { points, ran } from "./session.ts";

const curveOf = (name: string, look: number): Curve => ({ name, look });

export function Results() {
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
          xFormat={String}
        />
        {senders.length > 0 && (
          <Chart
            title="Bytes sent, summed"
            sentence="As the wire format would send it, by all peers; policies that send nothing are left out."
            curves={senders.map(({ kind, k }) => curveOf(kind, k))}
            data={[x, ...senders.map(({ k }) => list.map(({ bytes }) => bytes[k]))]}
            unit="bytes"
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
