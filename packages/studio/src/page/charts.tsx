import { OUTCOMES } from "../feed/format.ts";
import type { Series, SeriesName } from "../model/series.ts";
import { bytesText, clock, percent } from "../model/words.ts";
import { Chart, type Curve } from "./chart.tsx";
import { moment } from "./store.ts";

/** Points of a curve at most; more than a chart has pixels would only cost. */
const MOST_POINTS = 400;
/** A moving mean over so many beats. */
const WINDOW = 32;

/** Indexes of the beats that are drawn, up to `end`. */
export function drawn(end: number): number[] {
  const stride = Math.max(1, Math.ceil(end / MOST_POINTS));
  const indexes: number[] = [];
  for (let k = (end - 1) % stride; k < end; k += stride) indexes.push(k);
  return indexes;
}

const sums = (series: Series, name: SeriesName, at: readonly number[], per = 1): number[] =>
  at.map((k) => series.get(name).at(k) / per);

/** What a choice brought on average, over the window before each point. */
const perChoice = (series: Series, name: SeriesName, at: readonly number[]): (number | null)[] =>
  at.map((k) => {
    const choices = series.within("choices", k + 1, WINDOW);
    return choices === 0 ? null : series.within(name, k + 1, WINDOW) / choices;
  });

const TOGETHER: Curve = { name: "together", look: 0 };
const ALONE: Curve = { name: "the same peers alone", look: 1 };

export function Charts() {
  const now = moment.value;
  if (now === null) return null;
  const { series } = now.timeline;
  const end = now.index + 1;
  const at = drawn(end);
  const x = sums(series, "seconds", at);
  const xFormat = clock;
  const last = (name: SeriesName): number => series.get(name).at(end - 1);
  const regretPeers = Math.max(1, now.model.present);
  return (
    <section class="charts" aria-label="Charts">
      <Chart
        title="Reward a choice"
        sentence={sentenceOfReward(series, end)}
        curves={[TOGETHER, ALONE]}
        data={[x, perChoice(series, "reward", at), perChoice(series, "alone", at)]}
        xFormat={xFormat}
      />
      <Chart
        title="Regret a peer, summed"
        sentence={`The truth is known here: ${(last("regret") / regretPeers).toFixed(1)} so far, alone ${(last("aloneRegret") / regretPeers).toFixed(1)}.`}
        curves={[TOGETHER, ALONE]}
        data={[x, sums(series, "regret", at, regretPeers), sums(series, "aloneRegret", at, regretPeers)]}
        xFormat={xFormat}
      />
      <Chart
        title="Borrowed evidence"
        sentence={`${percent(last("borrowed"))} of what a peer's estimate rests on comes from others.`}
        curves={[{ name: "share borrowed", look: 0 }]}
        data={[x, sums(series, "borrowed", at)]}
        unit="share"
        xFormat={xFormat}
      />
      <Chart
        title="Bytes sent, summed"
        sentence={`${bytesText(last("sentBytes"))} by all peers, ${bytesText(last("exchangeBytes"))} of it in exchanges; the rest is membership.`}
        curves={[
          { name: "all", look: 0 },
          { name: "in exchanges", look: 1 },
        ]}
        data={[x, sums(series, "sentBytes", at), sums(series, "exchangeBytes", at)]}
        unit="bytes"
        xFormat={xFormat}
      />
      <Outcomes series={series} at={at} x={x} />
      <Chart
        title="Slots in the buffer"
        sentence={
          last("buffered") === 0
            ? `The policy ${now.timeline.header.policy} holds nothing back just now.`
            : `${last("buffered").toFixed(1)} slots wait at a peer, on average.`
        }
        curves={[{ name: "slots a peer", look: 0 }]}
        data={[x, sums(series, "buffered", at)]}
        xFormat={xFormat}
      />
    </section>
  );
}

function sentenceOfReward(series: Series, end: number): string {
  const choices = series.within("choices", end, WINDOW);
  if (choices === 0) return "No choice lately.";
  const of = (name: SeriesName): string => (series.within(name, end, WINDOW) / choices).toFixed(2);
  return `Of ratings from −1 to 1: ${of("reward")} now, the same peers alone with the same arms ${of("alone")}.`;
}

/** Outcomes that belong together for the eye. */
const KINDS: readonly (Curve & { readonly of: readonly SeriesName[] })[] = [
  { name: "took in", look: 0, of: ["mix"] },
  { name: "nothing new", look: 2, of: ["keep", "stranger"] },
  { name: "parted", look: 3, of: ["prune"] },
  { name: "put off", look: 4, of: ["busy", "behind", "refused"] },
  { name: "no answer", look: 1, of: ["in-doubt", "given-up"] },
];

function Outcomes({ series, at, x }: { series: Series; at: readonly number[]; x: readonly number[] }) {
  const rate = (names: readonly SeriesName[], k: number): number => {
    const span = Math.min(WINDOW, k);
    const seconds = series.within("seconds", k + 1, span);
    const times = names.reduce((sum, name) => sum + series.within(name, k + 1, span), 0);
    return seconds > 0 ? times / seconds : 0;
  };
  const total = (names: readonly SeriesName[]): number =>
    names.reduce((sum, name) => sum + (at.length === 0 ? 0 : series.get(name).at(at[at.length - 1])), 0);
  const seen = KINDS.filter(({ of }) => total(of) > 0);
  const kinds = seen.length === 0 ? KINDS.slice(0, 1) : seen;
  return (
    <Chart
      title="Exchanges a second"
      sentence={`${total(OUTCOMES)} so far: ${kinds.map(({ name, of }) => `${name} ${total(of)}`).join(", ")}.`}
      curves={kinds}
      data={[x, ...kinds.map(({ of }) => at.map((k) => rate(of, k)))]}
      xFormat={clock}
    />
  );
}
