import { type Beat, eachRow, type Fault, REASONS } from "../feed/format.ts";
import { clock, count, REASON_TEXT } from "../model/words.ts";
import { type Moment, moment } from "./store.ts";

interface Line {
  readonly at: number;
  readonly text: string;
}

const MOST_LINES = 60;
/** So many beats back is far enough for a story. */
const MOST_BEATS = 4000;

const DEED: Readonly<Record<Fault["what"], (names: string) => string>> = {
  add: (names) => `${names} were added`,
  kill: (names) => `${names} was killed`,
  cut: () => "the network was cut in two",
  heal: () => "the cut was healed",
  lie: (names) => `${names} was made to lie`,
  truth: (names) => `${names} tells the truth again`,
};

/** What happened, newest first. */
function storyOf({ timeline, index, model }: Moment): Line[] {
  const lines: Line[] = [];
  const name = (peer: number): string => model.peers[peer]?.name ?? `peer ${peer}`;
  for (let k = index; k >= Math.max(0, index - MOST_BEATS) && lines.length < MOST_LINES; k--) {
    for (const text of told(timeline.beats[k], name)) lines.push({ at: timeline.beats[k].at, text });
  }
  return lines;
}

function told(beat: Beat, name: (peer: number) => string): string[] {
  const lines: string[] = [];
  for (const { what, peers } of beat.faults ?? []) {
    const names = peers.length > 3 ? count(peers.length, "peer") : peers.map(name).join(", ");
    lines.push(DEED[what](names));
  }
  eachRow(beat, "left", (rows, at) => lines.push(`${name(rows[at])} ${REASON_TEXT[REASONS[rows[at + 1]]]}`));
  const joined = beat.joined ?? [];
  if (joined.length > 0)
    lines.push(`${joined.length > 4 ? count(joined.length, "peer") : joined.map((one) => one.name).join(", ")} joined`);
  const parted = new Map<number, number[]>();
  eachRow(beat, "pool", (rows, at) => {
    if (rows[at + 2] === 0) parted.set(rows[at], [...(parted.get(rows[at]) ?? []), rows[at + 1]]);
  });
  for (const [peer, others] of parted) {
    lines.push(
      `${name(peer)} no longer pools with ${others.length > 3 ? count(others.length, "peer") : others.map(name).join(", ")}`,
    );
  }
  for (const { peer, text } of beat.troubles ?? []) lines.push(`${name(peer)}: ${text}`);
  return lines;
}

export function Story() {
  const now = moment.value;
  return (
    <section class="panel side" aria-labelledby="story">
      <header>
        <h2 id="story">What happened</h2>
      </header>
      <div class="body">
        <p class="quiet small">
          Real peers, each with a made-up person who rates posters. A peer knows its own person alone; whom it resembles
          it has to find out. Choose a peer in the picture or in the table for its own page.
        </p>
        <ul class="rows">
          {now !== null &&
            storyOf(now).map(({ at, text }, k) => (
              <li key={k}>
                <span class="when">{clock(at / 1000)}</span>
                <span class="grow">{text}</span>
              </li>
            ))}
        </ul>
      </div>
    </section>
  );
}
