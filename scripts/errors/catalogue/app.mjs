export const title = "In an app";
export const intro = "A `ConfigError` of `createPeer` and of what it returns. Nothing was changed when it is thrown.";
export const entries = [
  {
    says: [
      "features must declare at least one feature",
      "features.item must declare at least one feature",
      "features must take at most {MOST_COORDINATES} coordinates together",
      "{schema} must give each feature a name that is not empty",
    ],
    cause:
      "The schema is empty or too wide: each value of a `oneHot` is a coordinate, a cross has one for each pair of values, and a choice costs the square of their number.",
    remedy: "Declare and cross what matters for the choice; group rare values.",
  },
  {
    says: [
      "{schema}.{name} must have another name: every schema has a bias of its own",
      "{schema}.{name} must be one of oneHot(), multiHot(), number(), cyclic(), flag(), hashed(), vector()",
    ],
    cause: "A feature is called `bias`, or is not made by one of these functions.",
    remedy: "Rename it, or make it by one of them.",
  },
  {
    says: [
      "features.context.{name} must have another name: an item has a feature of that name",
      "features must name each coordinate differently; call a feature otherwise",
      "features.cross[{k}] must not be called as the feature {other} is",
    ],
    cause: "Two features, or two coordinates of them, would have one name. Weights, logs and explanations go by names.",
    remedy: "Rename one of the features.",
  },
  {
    says: [
      "features.cross[{k}] must have a feature of the item: two of the context are the same for all items",
      "features.cross[{k}] must be of two features",
      "features.cross[{k}] must differ from the crosses before it",
    ],
    cause: "A cross is the product of two different features, of which one is of the item, and is listed once.",
    remedy: 'Cross a context with what it acts on: `cross: [["device", "genre"]]`.',
  },
  {
    says: ["context must not be given: features declares none"],
    cause: "The features have no `context`, and a choice was made with one.",
    remedy: "Declare it: `features: { item, context, cross }`.",
  },
  {
    says: [
      "exclude must leave at least one item",
      "options.exclude must be a function of an item and its place",
      "index must be that of an item that is not left out, one of {count}",
    ],
    cause: "All items are excluded, or the one that the app chose was left out of the menu.",
    remedy: "Ask only where an item is left; give `exclude: (item, index) => …`.",
  },
  {
    says: ["cyclic.period must be above 0"],
    cause: "A period is how long it takes until a number comes back to where it was: 24 for hours.",
    remedy: "Give that.",
  },
  {
    says: [
      "number.max must lie at a distance from {min} that a double can hold",
      "number.max must be above min, {min}",
      "number.min must be above 0 for a log scale",
    ],
    cause: "The range of a number is empty, too wide, or has no logarithm.",
    remedy: "Give the least and the most that the number really is.",
  },
  {
    says: [
      "{field} must hold at least one value",
      "{field}[{k}] must differ from the values before it",
      "{field}[{k}] must differ from the name of the bucket of unknown values",
    ],
    cause: "The list of values is empty, names one twice, or has the name of the bucket.",
    remedy: "Give each value once; leave out `(unknown)` where `unknown` is `bucket`.",
  },
  {
    says: ["items must hold at least one item", "arms must lead to a choice"],
    cause: "There is nothing to choose from.",
    remedy: "Ask only where there is at least one item.",
  },
  {
    says: [
      "{item} must be one of {sorted}",
      "{item} must be a list of declared values",
      "{item} must be a text, such as {sorted}, or missing",
      "{item} must be a text or a finite number",
      "{item} must be true or false",
      "{item} must be a finite number",
      "{item} must be a finite number from {min} to {max}",
      "{item} must be a list of {dimension} numbers",
      "{item} must be no longer than {longest}",
    ],
    cause:
      "An item is not what the features say; the place is `items[3].topic`. A value that was never declared has no coordinate.",
    remedy:
      'Give the item what is declared, or declare the value; `onBadItem: "skip"` leaves such items out, and `oneHot(values, { unknown: "bucket" })` takes them. All peers of a room must declare alike.',
  },
  {
    says: ["{field} must hold {dimension} numbers from {offset}"],
    cause: "The buffer that vectors are written to is too short.",
    remedy: "Make it as long as `features.dimension` from that place on.",
  },
  {
    says: [
      "policy must be a policy, such as kindred(), dccb(), dcb() or solo()",
      "policy must be one whose peers meet in pairs: a ring breaks when a peer leaves",
      "policy must be one that exchanges",
      "policy must be one whose peers count rounds each by themselves: no epochs",
    ],
    cause:
      "The policy is not one that real peers can run: a name instead of the function's result, one with a ring, or one for simulations.",
    remedy: "Pass `kindred()` or leave it out.",
  },
  {
    says: [
      "{field} must be a number from {low} to {high}",
      "{field} must be a finite number of at most {MOST_REWARD} either way",
    ],
    cause:
      "A reward lies outside the range that the room agreed on. Ranges are part of what peers must have in common.",
    remedy: "Set `reward.range` to what can really be paid, alike in all peers.",
  },
  {
    says: ["reward.secret must be a text of at least {SECRET_LENGTH} letters"],
    cause: "The secret that all workers share is too short to be one. Its value is never printed.",
    remedy:
      "Draw it once, as `openssl rand -hex 32` does, and give it to every worker ([Several workers](guides/workers.md)).",
  },
  {
    says: ["token: malformed", "token: forged", "token: no-secret", "token: {token}"],
    cause:
      "A `TokenError`: what was given is no token of a choice; or it was altered, made up, or made with another `reward.secret`; or another peer made it and this one has no secret to check it with. Nothing was kept of it.",
    remedy:
      "Hand `choice.token` on as it is. Give all workers the same `reward.secret`; after it was changed, tokens of before are forged.",
  },
  {
    says: ["token: full"],
    cause: "So many reports wait for other workers already, because those are gone or cannot be reached.",
    remedy: "Let the client ask another worker, and see why the choosers do not come back: `state().queued`.",
  },
  {
    says: [
      "reward.range must rise from its first to its last",
      "reward.range must lie between 1e-100 and 1e100 in size",
      "reward.timeoutMs must be more than 0",
    ],
    cause: "The range is empty or upside down, or the time to wait is none.",
    remedy: "`reward: { range: [0, 1], timeoutMs: 60_000, fallback: 0 }`.",
  },
  {
    says: [
      "tick.jitter must be at most 0.5",
      "{name} must be a function",
      "log.{field} must be a function",
      "{field} must be a list of peers' names",
    ],
    cause: "An option of `createPeer` is of another kind or out of bounds.",
    remedy: "The types of `PeerOptions` say what each takes.",
  },
  {
    says: ["network.self must be a name that is not used in room {name}"],
    cause: "Two peers of one process have the same name in a `memory()` network.",
    remedy: "Give each a name of its own, or none.",
  },
  {
    says: ["peer must be open"],
    cause: "The peer was closed or has forgotten everything, and is asked for something.",
    remedy: "Make it again with `createPeer`; ask nothing after `close()`.",
  },
  {
    says: ["{what} must not be used in shadow mode; use watch or observe"],
    cause: "A peer in shadow mode chooses nothing.",
    remedy: "Tell it what the app chose with `watch` or `observe`, or set `shadow` to false.",
  },
  {
    says: ["{field} must be of room {room}, with the same features, policy and range of rewards"],
    cause:
      "What was learnt under other terms means something else, and is not taken for it. A changed feature schema is such a term.",
    remedy: "Open it with the old terms, or begin anew with another store (or another room).",
  },
  {
    says: ["{field} must {why}, or be empty (what differs: {changes})"],
    cause:
      "The features, the policy or the range of rewards are others than those that the store was written with, and nothing of it can be taken over: the policy is another one or averages, or no feature is left.",
    remedy:
      "Open it with what it had: the message lists what differs. Or begin with an empty store; the others of the room tell it what they know.",
  },
  {
    says: [
      "store: terms must be the JSON that a peer wrote",
      "import must be the bytes that export() gave",
      "import: magic must mark the state of a peer",
      "import: version must be {VERSION}",
      "import: {field} must {bound}",
    ],
    cause: "The bytes are something else, were cut off, or come from another version.",
    remedy: "Pass on what `export()` gave, unchanged.",
  },
  {
    says: ["seed must differ at each start"],
    cause: "A peer that was started before with this seed would draw the same again, also the ids of its choices.",
    remedy: "Leave `seed` out; it is for tests.",
  },
  {
    says: ["entry.kind must be a kind that this version writes", "choices: {field} must {bound}"],
    cause: "The store was written by another version.",
    remedy: "Run that version.",
  },
  {
    says: ["iceServers must be a list of RTCIceServer", "webrtc must be used in a browser's tab"],
    cause: "`@coterie/webrtc` was given something else, or is used where there is no WebRTC.",
    remedy: "Use it in a tab only; on Node peers reach tabs through the hub.",
  },
];
