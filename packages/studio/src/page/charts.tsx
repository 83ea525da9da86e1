import { OUTCOMES } from "../feed/format.ts";
import { Series, type SeriesName } from "../model/series.ts";
import { hasBuffer } from "../model/table.ts";
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
  for (let k = (end - 1) % stride; k < end; k += stride) if (k >= 0) indexes.push(k);
  return indexes;
}

const sums = (series: Series, name: SeriesName, at: readonly number[]): number[] =>
  at.map((k) => series.get(name).at(k));

/** What a choice brought on average, over the window before each point. */
const perChoice = (series: Series, name: SeriesName, at: readonly number[]): (number | null)[] =>
  at.map((k) => {
    const choices = series.within("choices", k + 1, WINDOW);
    return choices === 0 ? null : series.within(name, k + 1, WINDOW) / choices;
  });

export const TOGETHER: Curve = { name: "together", look: 0 };
export const ALONE: Curve = { name: "the same peers alone", look: 1 };
const EMPTY = new Series();

/** There from the start, without curves: nothing on the page moves when they come. */
export function Charts() {
  const now = moment.value;
  const series = now?.timeline.series ?? EMPTY;
  const end = now === null ? 0 : now.index + 1;
  const at = drawn(end);
  const x = sums(series, "seconds", at);
  const last = (name: SeriesName): number => (end === 0 ? 0 : series.get(name).at(end - 1));
  return (
    <section class="charts" aria-label="Charts">
      <Chart
        title="Regret a choice, lately"
        sentence={sentenceOfRegret(series, end)}
        curves={[TOGETHER, ALONE]}
        data={[x, perChoice(series, "regret", at), perChoice(series, "aloneRegret", at)]}
        xFormat={clock}
      />
      <Chart
        title="Borrowed evidence"
        sentence={`${percent(last("borrowed"))} of what a peer's estimate rests on comes from others, on average.`}
        curves={[{ name: "share borrowed", look: 0 }]}
        data={[x, sums(series, "borrowed", at)]}
        unit="share"
        xFormat={clock}
      />
      <Chart
        title="Bytes sent, summed"
        sentence={`${bytesText(last("sentBytes"))} by all peers. ${bytesText(last("exchangeBytes"))} of it are exchanges, by which they learn; the rest says who is there, every 2 s, and does not grow with what is learnt.`}
        curves={[
          { name: "all", look: 0 },
          { name: "in exchanges", look: 1 },
        ]}
        data={[x, sums(series, "sentBytes", at), sums(series, "exchangeBytes", at)]}
        unit="bytes"
        xFormat={clock}
      />
      <Outcomes series={series} at={at} x={x} />
      {hasBuffer(now?.timeline.header.policy ?? "") && (
        <Chart
          title="Slots in the buffer"
          sentence={`${last("buffered").toFixed(1)} slots wait at a peer, on average.`}
          curves={[{ name: "slots a peer", look: 0 }]}
          data={[x, sums(series, "buffered", at)]}
          xFormat={clock}
        />
      )}
    </section>
  );
}

function sentenceOfRegret(series: Series, end: number): string {
  const choices = series.within("choices", end, WINDOW);
  if (choices === 0) return "No choice lately.";
  const of = (name: SeriesName): string => (series.within(name, end, WINDOW) / choices).toFixed(2);
  return `${of("regret")} now, alone ${of("aloneRegret")}. The two come together as those who are alone learn as well; what was saved until then stays.`;
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
