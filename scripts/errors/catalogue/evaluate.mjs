export const title = "Decision logs and what they say";
export const intro =
  "Of `coterie evaluate`, and of `evaluate()` and its kin. A `ConfigError` names the file, the line and the field. An `OverlapError` says that the log cannot answer: it has `target`, `option`, and in how many `choices` of how many (`of`).";
export const entries = [
  {
    says: [
      "{target} cannot be evaluated with this log: none of its {of} choices has a propensity; set explore.floor above 0 (--explore-floor), and log anew",
    ],
    cause:
      "By default a peer always makes the choice that it takes for the best. Of what would have come of another one such a log says nothing.",
    remedy:
      "Open the peer with `explore: { floor: 0.1 }` (or `coterie peer --explore-floor 0.1`) and log again. `--target logged` says what was earned, and needs no propensity.",
  },
  {
    says: [
      "{target} cannot be evaluated with this log: none of its {of} choices has a propensity; give the app's own propensities to watch()",
    ],
    cause:
      "A peer in shadow mode watched an app that did not say how probable its choices were. What the peer would have earned then cannot be known.",
    remedy:
      "Let the app choose at random now and then, and pass `propensities` to `watch`. Without them `--shadow` still says how often both agree.",
  },
  {
    says: [
      "{target} cannot be evaluated with this log: in {choices} of {of} choices it would choose an item with propensity 0; log with {option} above 0 for every item",
      "{name} cannot be evaluated with this log: it agrees with none of the {n} choices; log more of them, or with a larger explore.floor",
    ],
    cause: "The target would have chosen items that were never shown, so nobody knows what they pay.",
    remedy: "Log with a floor that gives every item a chance, and for longer.",
  },
  {
    says: [
      "shadow cannot be evaluated with this log: it has no rewarded choice that a peer in shadow mode watched",
      "choices that {name} can be judged by must be at least 2, with their rewards",
    ],
    cause: "The log holds no choice of the kind that is asked about, or none of them was rewarded yet.",
    remedy:
      "Check that it is the right log, and that rewards reach the peer. `linear` uses the second half of the log alone.",
  },
  {
    says: ["{place} must be one whole JSON object, not cut off ({message})"],
    cause: "A line is no JSON: often the last one, where a process was killed while it wrote.",
    remedy: "Delete that line. `logFile` does so by itself when it opens the file again.",
  },
  {
    says: [
      "path must be a file that can be written ({code})",
      "--decision-log must {bound}",
      "{path}: the disk is too slow for this log; a line was dropped",
    ],
    cause:
      "A decision log cannot be opened, or is written faster than the disk takes it. The peer goes on, and tells of each line as a `failure`.",
    remedy: "Check the path and its permissions; log shorter menus, or to a faster disk.",
  },
  {
    says: ["version must be {LOG_VERSION}, the one that is known here"],
    cause: "The log was written by another version of Coterie.",
    remedy: "Evaluate it with the version that wrote it.",
  },
  {
    says: [
      "{field} must be a number above 0, at most 1",
      "{field} must be a number from 0 to 1",
      "{field} must be 1 together",
      "propensities[{chosen}] must be the propensity of the chosen item, {propensity}",
      "probabilities of {name} must be {count}, one for each item",
    ],
    cause:
      "A probability is none: what was chosen cannot have been impossible, and the items of a menu have 1 together.",
    remedy: "Correct what wrote the line, or the target's function. Estimates divide by these numbers.",
  },
  {
    says: ["id must belong to one choice only"],
    cause: "Two choices of the log have one id: often a file that was given twice, or copied into itself.",
    remedy: "Give each file once.",
  },
  {
    says: ["items must have at most {MOST_FEATURES} coordinates"],
    cause: "The log names more features than a peer takes; a name for each item is one of them.",
    remedy: "Log features that items share.",
  },
  {
    says: ['--target must be logged, {TARGET_NAMES}, item=NAME, or a policy: {KINDS}, or {"kind": …}'],
    cause: "There is no such target. Policies that need a centre or a ring cannot be asked about alone.",
    remedy: "Take one of those that are named; an item is named as the log names it.",
  },
  {
    says: [
      "--confidence must lie strictly between 0 and 1",
      "--shadow must not be combined with --variants",
      "--control must be used with --variants",
      "--dsjson must be a new file that can be written ({code})",
    ],
    cause:
      "An option of `coterie evaluate` is out of bounds, or does not go with another one. Files are never overwritten.",
    remedy: "Ask for one thing at a time; give another file.",
  },
  {
    says: ["target must be one of {TARGET_NAMES}, { item }, a policy or a function's object"],
    cause: "There is no such target.",
    remedy: "Use one of the names in the message.",
  },
  {
    says: [
      "_outcomes must be left out: only lines of one decision (contextual bandits, not slates) are read",
      "c._slots must be left out: only lines of one decision (contextual bandits, not slates) are read",
      "pdrop must be 0: what was dropped cannot be counted",
      "_labelIndex must be one less than _label_Action, {chosen}",
      "_label_probability must be that of the chosen action in p, {propensity}",
      "a must be a list of {count}, the actions of c._multi",
      "a[{k}] must name each action once",
      "c._multi must hold at least one action",
      "{field} must be a text, a number, true or false, a list or an object",
      "{field} must be a time in UTC such as 2021-07-29T10:00:00.999Z",
    ],
    cause: "A line of VW's dsjson is not as VW documents it, or is of a kind that is not read here.",
    remedy: "Look at that field of the line; the format is on VW's wiki, page DSJSON.",
  },
  {
    says: ["variants must name at least two", "variants must name each once"],
    cause: "An A/B test needs sides that differ.",
    remedy: "Give two or more names, each once.",
  },
  {
    says: ["variants in the log must be at least two", "control must be one of {names}"],
    cause: "The log has no rewarded choices of two variants, or none of the one that is named.",
    remedy: "Give the logs of all variants, each written with `variant`.",
  },
];
