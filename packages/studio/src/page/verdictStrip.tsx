import type { HealthAnswer } from "../model/verdicts.ts";
import { Sign } from "./icons.tsx";

/** A sign in words: it says how things stand, and answers no question. */
const SAID = { good: "All well:", wait: "Not settled:", bad: "Trouble:" } as const;

/** What there is to say, in words, before any number. */
export const Verdicts = ({ list }: { list: readonly HealthAnswer[] }) => (
  <ul class="verdicts" aria-label="How the network does">
    {list.map(({ question, state, answer, detail }) => (
      <li key={question}>
        <p class="question">
          <Sign state={state} />
          <span>{question}</span>
        </p>
        <p class="answer">
          <span class="hidden">{SAID[state]} </span>
          {answer}
        </p>
        <p class="detail" title={detail}>
          {detail}
        </p>
      </li>
    ))}
  </ul>
);
