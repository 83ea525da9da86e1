import { answer, documentOf, json, type OpenApi, type Operation, refusals } from "../http/openApi.ts";
import { counts, type JsonSchema, list, numbers, object, orNull, real, ref, text, whole } from "../http/schema.ts";
import { MOST_CHOICES, MOST_ITEMS } from "./requests.ts";

/** The peer's HTTP API as a document. Tests hold the routes and real answers against it. */
export function openApi(withToken: boolean): OpenApi {
  return documentOf({
    title: "Coterie peer",
    description:
      "One peer that chooses, learns from rewards, and learns with others of its kind. A refusal is a JSON object with one sentence in `error`.",
    paths: {
      "/choose": { post: CHOOSE },
      "/slate": { post: SLATE },
      "/slate/shown": { post: SHOWN },
      "/slate/cancel": { post: CANCEL },
      "/score": { post: SCORE },
      "/pending": { get: PENDING },
      "/weights": { get: WEIGHTS },
      "/reward": { post: REWARD },
      "/observe": { post: OBSERVE },
      "/watch": { post: WATCH },
      "/state": { get: STATE },
    },
    schemas: SCHEMAS,
    withToken,
  });
}

const ITEMS: JsonSchema = {
  type: "array",
  minItems: 1,
  maxItems: MOST_ITEMS,
  description: "Objects with the declared features, or lists of numbers where the peer was started with --dimension.",
  items: { type: ["object", "array"] },
};

const CONTEXT: JsonSchema = {
  type: ["object", "array", "string", "number", "boolean", "null"],
  description: "What is known of the situation; required where the features declare a context.",
};

const SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  ChooseRequest: object(
    {
      items: ITEMS,
      k: { type: "integer", minimum: 1, maximum: MOST_CHOICES, description: "How many to choose, best first; 1." },
      explain: { type: "boolean", description: "Whether to say why; false." },
      context: CONTEXT,
      exclude: list(whole(), "Places of items that must not be chosen."),
      unit: text("For whom it is chosen; only logged."),
    },
    ["k", "explain", "context", "exclude", "unit"],
  ),
  Explanation: object({
    mean: real("What the item is expected to pay."),
    bonus: orNull(real("What is added for what is not known yet; null where the policy draws.")),
    spread: orNull(real("How far off the mean may be, as the policy weighs it.")),
    shares: numbers("Each feature's part of the mean."),
    reasons: list(
      object({ name: text("A coordinate, or a feature."), share: real("Its part of the mean.") }),
      "The same in smaller parts, the weightiest first.",
    ),
    text: text("All of this in two or three sentences."),
    evidence: real("How many observations this rests on."),
    own: real("How many of them this peer made itself."),
    borrowed: real("How many came from others, at least."),
    neighbours: whole("From how many others."),
    aside: orNull(real("How far what others gave was set aside: 0 to 1; null without a guard.")),
    explored: { type: "boolean", description: "Drawn at random, not picked by its score." },
  }),
  Choice: object(
    {
      id: text("For /reward, also after a restart."),
      index: whole("The item's place in the list that was offered."),
      propensity: orNull(real("The probability of this choice; null where it was certain or nobody knows.")),
      token: text("For /reward at every worker with the same secret; where the peer was started with one."),
      explanation: ref("Explanation"),
    },
    ["explanation", "token"],
  ),
  Choices: object({ choices: list(ref("Choice"), "Best first; fewer than k where there are fewer items.") }),
  SlateRequest: object(
    {
      items: ITEMS,
      k: { type: "integer", minimum: 1, maximum: MOST_CHOICES, description: "How many places it has." },
      explain: { type: "boolean", description: "Whether to say why; false." },
      context: CONTEXT,
      exclude: list(whole(), "Places of items that must not be chosen."),
      unit: text("For whom it is chosen; only logged."),
    },
    ["explain", "context", "exclude", "unit"],
  ),
  Slate: object({
    slate: text("For /slate/shown and /slate/cancel, also after a restart."),
    choices: list(ref("Choice"), "Best first. What nobody has seen teaches nothing."),
  }),
  ShownRequest: object(
    {
      slate: text("Of this peer."),
      token: text("In its place: that of the slate's first choice, whichever worker made it."),
      places: whole("How many of the first places somebody has seen."),
    },
    ["slate", "token"],
  ),
  CancelRequest: object(
    {
      slate: text("Of this peer."),
      token: text("In its place: that of the slate's first choice, whichever worker made it."),
    },
    ["slate", "token"],
  ),
  Noted: object({ result: { type: "string", enum: ["noted", "expired", "queued"] } }),
  ScoreRequest: object(
    {
      items: ITEMS,
      explain: { type: "boolean", description: "Whether to say why; false." },
      context: CONTEXT,
      exclude: list(whole(), "Places of items to leave out."),
    },
    ["explain", "context", "exclude"],
  ),
  Scores: object({
    scores: list(
      object(
        {
          index: whole("The item's place in the list that was given."),
          score: orNull(real("By which items are ranked; null where the policy draws.")),
          mean: real("What the item is expected to pay."),
          spread: orNull(real("How far off the mean may be, as the policy weighs it.")),
          explanation: ref("Explanation"),
        },
        ["explanation"],
      ),
      "In the order of the items.",
    ),
  }),
  Pending: object({
    count: whole("Choices that wait for a reward."),
    choices: list(
      object({
        id: text("For /reward."),
        due: real("When it stops waiting, in milliseconds since 1970."),
        unseen: orNull(text("The slate that it is of, while nobody has seen it there.")),
        x: numbers("Its coordinates by name, before they are scaled; those that are 0 are left out."),
      }),
      "The oldest first; 100, or as many as `most` in the query says.",
    ),
  }),
  Weights: object({
    weights: numbers("What each coordinate adds to the expected reward where its value is 1, by name."),
  }),
  RewardRequest: object(
    {
      id: text("Of a choice of this peer."),
      token: text("In its place: that of a choice, whichever worker made it."),
      reward: real("What it was worth, within the peer's range."),
    },
    ["id", "token"],
  ),
  Rewarded: object({
    result: { type: "string", enum: ["learned", "duplicate", "expired", "cancelled", "dropped", "unknown", "queued"] },
  }),
  ObserveRequest: object(
    {
      items: ITEMS,
      index: whole("The place of the item that somebody else chose."),
      reward: real("What it was worth."),
      context: CONTEXT,
    },
    ["context"],
  ),
  WatchRequest: object(
    {
      items: ITEMS,
      index: whole("The place of the item that somebody else chose."),
      propensities: list(real(), "With which probability each item would have been chosen; 1 together."),
      unit: text("For whom it was chosen; only logged."),
      context: CONTEXT,
    },
    ["propensities", "unit", "context"],
  ),
  Watched: object({
    id: text("For /reward, also after a restart."),
    wouldChoose: whole("The place of the item that this peer would have chosen."),
  }),
  Observed: object({ wouldChoose: whole("The place of the item that this peer would have chosen.") }),
  State: object({
    self: text("This peer's name."),
    origin: orNull(text("The name its records go by; null where it publishes none.")),
    room: text(),
    policy: text(),
    round: whole(),
    size: whole("How many are in the room, this peer included: exact while all fit into its view, else an estimate."),
    alive: list(text(), "Others in its view, believed alive now."),
    near: list(text(), "Those of them still taken for this peer's own kind."),
    pruned: list(text(), "Members no longer."),
    misfits: whole(
      "At least so many are in the room with other features, another policy or version, as during a deploy.",
    ),
    lenders: orNull(list(text(), "Those whose observations this peer borrows, where the policy can tell.")),
    estimate: list(real(), "By coordinate."),
    evidence: real("Observations that choices rest on."),
    own: real("Observations that this peer made."),
    buffered: whole("Slots that wait in the buffer."),
    outdated: whole("Observations of its own from before its taste changed; they no longer count."),
    aside: orNull(real("How far choices set aside what others gave: 0 not at all, 1 wholly; null without a guard.")),
    pending: whole("Choices that wait for a reward."),
    queued: whole("Reports of other workers' choices that wait for those workers."),
    follows: { type: "boolean", description: "Whether another tab owns the store that this peer shares." },
    exchanges: counts("Since the start, by what came of them."),
    inDoubt: orNull(text("The partner of an exchange of which nobody knows the end yet.")),
    massAtRisk: whole("Exchanges given up in doubt."),
    violations: counts("What partners sent that no correct peer sends, by reason."),
    strangers: object({
      counted: counts("What counts against others, by cause: not answered, slow, forged and so on."),
      resting: whole("Peers that are left alone for now, because they did not answer."),
      refused: whole("Peers that are refused."),
      prefixes: whole("Address prefixes from which more than one name was of no use."),
      unreached: real("The share of the view that never answered a call of this peer, 0 to 1."),
    }),
    incarnation: whole(),
    quarantined: orNull(object({ reason: text(), keptAt: text(), restored: { type: "boolean" } }, ["restored"])),
    addresses: list(text(), "Where other peers reach this one."),
  }),
};

/** What is asked for in the body of a request. */
const post = (operationId: string, summary: string, body: string, responses: Operation["responses"]): Operation => ({
  operationId,
  summary,
  requestBody: { required: true, content: json(ref(body)) },
  responses: { ...responses, ...refusals(400, 401, 413, 415, 503) },
});

const CHOOSE = post(
  "choose",
  "Choose among items",
  "ChooseRequest",
  answer("The choices; each waits for its reward.", ref("Choices")),
);
const SLATE = post(
  "slate",
  "Choose a list of items that somebody may or may not look at",
  "SlateRequest",
  answer("The choices; each waits for its reward once it was shown.", ref("Slate")),
);
const SHOWN = post(
  "shown",
  "Say how many places of a slate somebody has seen",
  "ShownRequest",
  answer("Noted.", ref("Noted")),
);
const CANCEL = post(
  "cancel",
  "Say that nobody will see the rest of a slate",
  "CancelRequest",
  answer("Noted.", ref("Noted")),
);
const SCORE = post(
  "score",
  "Say what the peer thinks of items; nothing is chosen",
  "ScoreRequest",
  answer("What it thinks.", ref("Scores")),
);
const PENDING: Operation = {
  operationId: "pending",
  summary: "Choices that wait for a reward",
  responses: { ...answer("The oldest of them.", ref("Pending")), ...refusals(400, 401, 503) },
};
const WEIGHTS: Operation = {
  operationId: "weights",
  summary: "What the peer has learnt, by the names of coordinates",
  responses: { ...answer("Its weights.", ref("Weights")), ...refusals(401, 503) },
};
const REWARD = post(
  "reward",
  "Say what a choice was worth; once answered, it survives a crash",
  "RewardRequest",
  answer("What became of it.", ref("Rewarded")),
);
const OBSERVE = post(
  "observe",
  "Learn from what somebody else chose; once answered, it survives a crash",
  "ObserveRequest",
  answer("What this peer would have done.", ref("Observed")),
);
const WATCH = post(
  "watch",
  "Watch what somebody else chose; its reward may come later",
  "WatchRequest",
  answer("What this peer would have done.", ref("Watched")),
);
const STATE: Operation = {
  operationId: "state",
  summary: "The peer at a glance",
  responses: { ...answer("Its state.", ref("State")), ...refusals(401, 503) },
};
