import { VIEW_SIZE } from "@coterie/net/internal";
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { REASONS } from "../feed/format.ts";
import { Truth } from "../model/groups.ts";
import { driftOf, exchangesOf, poolHistory, sentTo } from "../model/history.ts";
import { hasBuffer } from "../model/table.ts";
import { bytesText, clock, compared, count, OUTCOME_TEXT, percent, REASON_TEXT } from "../model/words.ts";
import { act } from "./control.ts";
import { hindrance, mayAct } from "./controls.tsx";
import { Swatch } from "./icons.tsx";
import { type Moment, moment, picture, selected } from "./store.ts";
import { StoryPanel } from "./story.tsx";

/** The side of the page: one peer's own page, or what has happened so far. */
export function Side() {
  const now = moment.value;
  const peer = selected.value;
  if (now === null || peer === null || now.model.peers[peer] === undefined) return <StoryPanel />;
  return <PeerPage now={now} peer={peer} />;
}

function PeerPage({ now, peer }: { now: Moment; peer: number }) {
  const { model } = now;
  const { name, id } = model.peers[peer];
  const present = model.isPresent(peer);
  const look = picture.value?.looks.get(now.groups.of[peer]);
  const panel = useRef<HTMLElement>(null);
  // Whoever chose it in the table may have to be taken to it.
  useEffect(() => {
    const top = panel.current?.getBoundingClientRect().top ?? 0;
    if (top < 0 || top > innerHeight - 200) panel.current?.scrollIntoView({ block: "nearest" });
  }, [peer]);
  return (
    <section class="panel side" aria-labelledby="peer" ref={panel}>
      <header>
        <h2 id="peer">
          <Swatch look={look} /> {name}
        </h2>
        <div class="tools">
          <button
            type="button"
            class="plain quiet"
            onClick={() => {
              selected.value = null;
            }}
          >
            Close
          </button>
        </div>
      </header>
      <div class="body">
        <p>{standing(now, peer)}</p>
        <p class="id">{id}</p>
        <Facts now={now} peer={peer} />
        {present && <Deeds now={now} peer={peer} />}
        <Neighbourhood now={now} peer={peer} />
        <Drift now={now} peer={peer} />
        <Exchanges now={now} peer={peer} />
      </div>
    </section>
  );
}

/** A peer in a sentence. */
function standing({ model, groups }: Moment, peer: number): string {
  const left = model.value(peer, "leftAt");
  if (left >= 0) return `Gone since ${clock(left / 1000)}: it ${REASON_TEXT[REASONS[model.value(peer, "leftWhy")]]}.`;
  const pool = model.pool(peer).length;
  const lies = model.value(peer, "lies") === 1 ? " It was made to lie." : "";
  if (pool === 0) return `Pools with nobody${groups.of[peer] < 0 ? " yet" : ""}.${lies}`;
  const wrong = new Truth(model).misplaced(peer);
  if (wrong === null) return `Pools with ${count(pool, "other")}.${lies}`;
  if (wrong.missing + wrong.strange === 0) return `Pools with ${pool} others: exactly those of its own kind.${lies}`;
  const parts = [
    ...(wrong.missing > 0 ? [`${wrong.missing} of its kind not found yet`] : []),
    ...(wrong.strange > 0 ? [`${count(wrong.strange, "stranger")} among them`] : []),
  ];
  return `Pools with ${count(pool, "other")}; ${parts.join(", ")}.${lies}`;
}

const sizeText = (size: number): string =>
  size <= 0 ? "estimates how many there are" : `takes the room for one of about ${size}`;

function Facts({ now: { model, timeline }, peer }: { now: Moment; peer: number }) {
  const of = (name: Parameters<typeof model.value>[1]): number => model.value(peer, name);
  const [own, evidence] = [of("own"), of("evidence")];
  const [regret, alone] = [of("regret"), of("aloneRegret")];
  const saved = of("choices") === 0 ? null : compared(regret, alone, "regret");
  const borrowed = model.borrowed(peer);
  return (
    <>
      <h3>What it earns</h3>
      {of("lied") === 1 ? (
        <p class="small">It was made to lie, to itself as well: what it loses is left out of all sums.</p>
      ) : (
        saved !== null && <p>{`${saved.charAt(0).toUpperCase()}${saved.slice(1)} its twin alone.`}</p>
      )}
      <dl class="facts">
        <Fact name={`Regret of ${count(of("choices"), "choice")}`}>{regret.toFixed(1)}</Fact>
        <Fact name="Of its twin, alone">{alone.toFixed(1)}</Fact>
      </dl>
      <h3>What it rests on</h3>
      <div class="bar" aria-hidden="true">
        <i style={{ width: `${100 * (1 - borrowed)}%` }} />
        <i class="borrowed" style={{ width: `${100 * borrowed}%` }} />
      </div>
      <p class="small number">
        {count(own, "observation")} of its own, {Math.round(Math.max(0, evidence - own))} borrowed ({percent(borrowed)})
      </p>
      <dl class="facts">
        <Fact name="Round">{of("round")}</Fact>
        {hasBuffer(timeline.header.policy) && <Fact name="Slots in its buffer">{of("buffered")}</Fact>}
        <Fact name="Sees">{of("sees") < 0 ? "–" : `${of("sees")} of ${model.present - 1} others`}</Fact>
        <Fact name="Met somebody at">{clock(of("lastMet") / 1000)}</Fact>
        <Fact name="Exchanges">{of("exchanges")}</Fact>
        <Fact name="Sent in all">{bytesText(of("sentBytes"))}</Fact>
      </dl>
      {model.present > VIEW_SIZE + 1 && (
        <p class="small quiet">
          {`No peer knows a large room: it sees at most ${VIEW_SIZE} others at a time, and some of its kin, and ${sizeText(of("size"))}. The picture is put together from what every peer of the demo reports.`}
        </p>
      )}
    </>
  );
}

const Fact = ({ name, children }: { name: string; children: ComponentChildren }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
);

function Deeds({ now: { model }, peer }: { now: Moment; peer: number }) {
  const guest = model.peers[peer].cluster === null;
  const why = guest ? "It is somebody's own peer: nothing can be done to it from here." : hindrance();
  const may = !guest && mayAct();
  const { name } = model.peers[peer];
  const lies = model.value(peer, "lies") === 1;
  return (
    <>
      <div class="actions">
        <button
          type="button"
          disabled={!may}
          aria-describedby={why === null ? undefined : "why-not"}
          title={why ?? "Ends it as a crash would: nobody is told"}
          onClick={() => act("kill", { peer }, `${name} is killed.`)}
        >
          Kill this peer
        </button>
        <button
          type="button"
          disabled={!may}
          aria-describedby={why === null ? undefined : "why-not"}
          title={why ?? "Turns every reward round before it is learnt and passed on"}
          onClick={() =>
            lies
              ? act("truth", { peer }, `${name} tells the truth again.`)
              : act("lie", { peer }, `${name} lies from now on.`)
          }
        >
          {lies ? "Let it tell the truth" : "Make this peer lie"}
        </button>
      </div>
      {why !== null && (
        <p class="small quiet" id="why-not">
          {why}
        </p>
      )}
    </>
  );
}

const go = (peer: number): void => {
  selected.value = peer;
};

function Neighbourhood({ now: { model, timeline, index, groups }, peer }: { now: Moment; peer: number }) {
  const pool = Array.from(model.pool(peer));
  const lent = model.lent(peer);
  const history = poolHistory(timeline, peer, index, 12);
  return (
    <>
      <h3>Pools with</h3>
      {pool.length === 0 && <p class="small quiet">Nobody.</p>}
      <div class="chips">
        {pool.slice(0, 40).map((other) => (
          <button type="button" key={other} onClick={() => go(other)}>
            <Swatch look={picture.value?.looks.get(groups.of[other])} />
            {model.peers[other]?.name ?? other}
            {lent.has(other) && <span class="quiet number">{Math.round(lent.get(other) ?? 0)}</span>}
          </button>
        ))}
      </div>
      {lent.size > 0 && <p class="small quiet">The numbers say how many observations it borrows from each.</p>}
      <h3>Who came and left, and why</h3>
      {history.length === 0 && <p class="small quiet">Nobody so far.</p>}
      <ul class="rows">
        {history.map(({ at, partner, pools, reason }, k) => (
          <li key={k}>
            <span class="when">{clock(at / 1000)}</span>
            <span class="grow">
              {pools ? "+ " : "− "}
              {model.peers[partner]?.name ?? partner}, {REASON_TEXT[reason]}
            </span>
          </li>
        ))}
      </ul>
    </>
  );
}

function Drift({ now: { timeline, index }, peer }: { now: Moment; peer: number }) {
  const values = driftOf(timeline, peer, index);
  if (values.length < 2) return null;
  const most = Math.max(...values, 1e-9);
  const path = values.map((value, k) => `${(k / (values.length - 1)) * 100},${(38 - (value / most) * 36).toFixed(1)}`);
  return (
    <>
      <h3>Drift of its estimate</h3>
      <svg
        class="spark"
        viewBox="0 0 100 40"
        preserveAspectRatio="none"
        role="img"
        aria-label={`How far its estimate moved from second to second: at most ${most.toFixed(3)}, now ${values.at(-1)?.toFixed(3)}`}
      >
        <path d={`M${path.join("L")}`} />
      </svg>
      <p class="small quiet number">
        now {values.at(-1)?.toFixed(3)}, at most {most.toFixed(3)}
      </p>
    </>
  );
}

function Exchanges({ now: { model, timeline, index }, peer }: { now: Moment; peer: number }) {
  const last = exchangesOf(timeline, peer, index, 8);
  const sent = sentTo(timeline, peer, index).slice(0, 6);
  const nameOf = (other: number): string => model.peers[other]?.name ?? `${other}`;
  return (
    <>
      <h3>Last exchanges</h3>
      <ul class="rows">
        {last.map(({ at, partner, began, outcome, sentBytes, receivedBytes }, k) => (
          <li key={k}>
            <span class="when">{clock(at / 1000)}</span>
            <span class="grow">
              {began ? "asked" : "was asked by"} {nameOf(partner)}: {OUTCOME_TEXT[outcome]}
            </span>
            <span class="quiet">
              ↑{bytesText(sentBytes)} ↓{bytesText(receivedBytes)}
            </span>
          </li>
        ))}
      </ul>
      <h3>What it sent to whom</h3>
      <ul class="rows">
        {sent.map(([other, bytes]) => (
          <li key={other}>
            <span class="grow">{nameOf(other)}</span>
            <span>{bytesText(bytes)}</span>
          </li>
        ))}
      </ul>
    </>
  );
}
