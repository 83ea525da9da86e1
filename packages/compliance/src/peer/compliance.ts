import type { Check } from "../check.ts";
import { absence } from "./scenarios/absence.ts";
import { keystone } from "./scenarios/keystone.ts";
import type { Scenario } from "./scenarios/scenario.ts";
import { strangers } from "./scenarios/strangers.ts";
import { together } from "./scenarios/together.ts";
import { DIMENSION } from "./script.ts";
import type { PeerDriver } from "./stage.ts";

/** All there are. A driver plays each of them, or names it with the reason why it makes no sense there. */
export const STORIES: readonly Scenario[] = [...keystone, ...together, ...absence, ...strangers];

/** One suite for every way to drive a peer. */
export function peerCompliance(driver: PeerDriver): Check[] {
  for (const name of Object.keys(driver.without)) {
    if (!STORIES.some((story) => story.name === name)) throw new Error(`there is no story ${name} to go without`);
  }
  return STORIES.filter(({ name }) => !(name in driver.without)).map((story) => ({
    name: `${story.name} (${story.of})`,
    run: () => play(driver, story),
  }));
}

async function play(driver: PeerDriver, { policy, peers, play: tell }: Scenario): Promise<void> {
  const stage = await driver.setup({ policy, dimension: DIMENSION, peers });
  try {
    await tell(stage);
  } finally {
    await stage.teardown();
  }
}
