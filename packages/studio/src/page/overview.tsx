import { headline } from "../model/headline.ts";
import type { SeriesName } from "../model/series.ts";
import { type HealthAnswer, verdicts } from "../model/verdicts.ts";
import { clock } from "../model/words.ts";
import { Plot } from "./chart.tsx";
import { ALONE, drawn, TOGETHER } from "./charts.tsx";
import { Sign } from "./icons.tsx";
import { moment } from "./store.ts";
import { Verdicts } from "./verdictStrip.tsx";

/** Before the first beat: the same boxes, so that nothing moves when it comes. */
const WAITING: readonly HealthAnswer[] = ["Own kind found?", "Anyone stuck?", "Traffic fine?"].map((question) => ({
  question,
  state: "wait",
  answer: "…",
  detail: "Waiting for the first peers",
}));

/** What sharing earned, and how one knows: the first thing on the page. */
export function Earned() {
  const now = moment.value;
  const end = now === null ? 0 : now.index + 1;
  const found =
    now === null
      ? { state: "wait" as const, answer: "Too early to say", detail: "waiting for the first peers" }
      : headline(now.timeline.series, end, now.model.present);
  const at = drawn(end);
  const of = (name: SeriesName): number[] => (now === null ? [] : at.map((k) => now.timeline.series.get(name).at(k)));
  return (
    <section class="panel earned" aria-labelledby="earned">
      <div class="said">
        <h2 class="question" id="earned">
          <Sign state={found.state} />
          <span>What did sharing earn?</span>
        </h2>
        <p class="figure">{found.answer}</p>
        <p class="number">{found.detail}.</p>
        <p class="small quiet">
          Regret is how far a pick lies below the best poster offered; the demo knows every taste, so it can tell. Each
          peer has a twin that gets the same posters and meets nobody: that is <em>alone</em>.
        </p>
      </div>
      <div class="curve">
        <h3>Regret, summed over all peers</h3>
        <Plot
          title="Regret, summed over all peers"
          sentence=""
          curves={[TOGETHER, ALONE]}
          data={[of("seconds"), of("regret"), of("aloneRegret")]}
          xFormat={clock}
          height={148}
        />
      </div>
    </section>
  );
}

export function VerdictStrip() {
  const now = moment.value;
  const list = now === null ? WAITING : verdicts(now.model, now.groups, now.timeline.series, now.index + 1);
  return <Verdicts list={list} />;
}
