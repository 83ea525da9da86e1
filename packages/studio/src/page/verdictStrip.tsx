import { type Verdict, verdicts } from "../model/verdicts.ts";
import { Sign } from "./icons.tsx";
import { moment } from "./store.ts";

const SAID = { good: "yes", wait: "not known yet", bad: "trouble" } as const;

/** What there is to say, in words, before any number. */
export const Verdicts = ({ list }: { list: readonly Verdict[] }) => (
  <ul class="verdicts" aria-label="How the network does">
    {list.map(({ question, state, answer, detail }) => (
      <li key={question}>
        <p class="question">
          <Sign state={state} />
          <span>{question}</span>
          <span class="hidden">{SAID[state]}</span>
        </p>
        <p class="answer">{answer}</p>
        <p class="detail">{detail}</p>
      </li>
    ))}
  </ul>
);

export function VerdictStrip() {
  const now = moment.value;
  if (now === null) return <p class="panel chart quiet">Waiting for the first peers…</p>;
  return <Verdicts list={verdicts(now.model, now.groups, now.timeline.series, now.index + 1)} />;
}
