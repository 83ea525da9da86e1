import { aboutPolicy } from "../lab/policies.ts";
import { clock } from "../model/words.ts";
import { moment } from "./store.ts";

const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;

/** What happened, newest first. */
export function StoryPanel() {
  const now = moment.value;
  const lines = now === null ? [] : now.timeline.chronicle.until(now.model.at);
  const policy = now?.timeline.header.policy ?? "";
  const about = aboutPolicy(policy);
  return (
    <section class="panel side" aria-labelledby="story">
      <header>
        <h2 id="story">What happened</h2>
      </header>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: whoever has no mouse scrolls it by keys */}
      <section class="body" tabIndex={0} aria-label="What happened, a list that scrolls">
        <p class="quiet small">
          Real peers, each with a made-up person who rates posters. A peer knows only its own person; whom it resembles
          it has to find out. Choose a peer in the picture or in the table for its own page.
        </p>
        <ul class="rows">
          {lines.map(({ at, text }) => (
            <li key={`${at} ${text}`}>
              <span class="when">{clock(at / 1000)}</span>
              <span class="grow">{sentence(text)}</span>
            </li>
          ))}
        </ul>
        {about !== null && (
          <p class="quiet small">
            The policy, <b>{policy}</b>, is how they learn. {about}
          </p>
        )}
      </section>
    </section>
  );
}
