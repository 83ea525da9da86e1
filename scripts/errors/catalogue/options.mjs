export const title = "Options, experiment files and traces";
export const intro =
  "The same words wherever options are checked: in an app, in a JSON file (then the file's name comes first), on the command line. The field is a path: `policies[1].radius.alpha`.";
export const entries = [
  {
    says: ["onEvent must be a function"],
    cause: "`libp2p` was given a listener that cannot be called.",
    remedy: "`onEvent: (event) => …`.",
  },
  {
    says: ["{field} must be a list of multiaddrs"],
    cause: "One address was given in place of a list.",
    remedy: '`bootstrap: ["/ip4/192.0.2.7/tcp/4001"]`.',
  },
  {
    says: ["{value} must be an object", "{field} must be an object", "{field}[{k}] must be an object"],
    cause: "There is a number, a text, a list or nothing where an object is expected.",
    remedy: "Write `{ … }` there.",
  },
  {
    says: ["{place} must not be there (known here: {known})", "{place} must not be there (known here: nothing)"],
    cause:
      "A field is spelt wrongly, or belongs elsewhere. Unknown fields are never ignored: a misspelt option would silently have its default.",
    remedy: "Use one of the fields in the message.",
  },
  {
    says: [
      "{field} must be a finite number",
      "{field} must be a finite number of at least {least}",
      "{field} must lie strictly between {low} and {high}",
    ],
    cause: "The value is not a number, is infinite or NaN, or out of bounds.",
    remedy: "Give a number within the bound; numbers are not quoted in JSON.",
  },
  {
    says: [
      "{field} must be a whole number of at least {least}",
      "{field} must be a whole number from {least} to {most}",
      "{field} must be a whole number of at least 1",
    ],
    cause: "The value is not a whole number, or out of bounds.",
    remedy: "Give a whole number within the bound.",
  },
  {
    says: ["{field} must be one of {names}"],
    cause: "The value is not one of the allowed words.",
    remedy: "Use one of the names in the message.",
  },
  {
    says: [
      "{field} must be true or false",
      "{field} must be a non-empty text",
      "{field} must be a list",
      "{field} must be a list of {length}",
    ],
    cause: "The value has another type, or the list another length.",
    remedy: "Give a value of the type in the message; true and false are not quoted in JSON.",
  },
  {
    says: [
      "{thresholdkind} must be practical: CLUB has no other threshold",
      "{thresholdkind} must be practical: SCLUB has no other threshold",
      "{thresholdkind} must be practical: COFIBA has no other threshold",
    ],
    cause: "These published algorithms define one threshold only.",
    remedy: "Leave `threshold` out, or set its kind to `practical`.",
  },
  {
    says: ["{name} must not be combined with rounds"],
    cause: "A delay is either a fixed number of rounds or a formula, and both were given.",
    remedy: "Leave `rounds` or the formula's fields out.",
  },
  {
    says: ["{forgive} must be used with sharing: mutual"],
    cause: "A peer can only forgive where both sides of a meeting decide together.",
    remedy: 'Add `"sharing": "mutual"`, or leave `forgive` out.',
  },
  {
    says: ["policy must be one that needs no clusters, because this world has none"],
    cause: "The oracle is told the true clusters, and a dataset has none.",
    remedy: "Run it in a `clusters` world, or take another policy.",
  },
  {
    says: [
      "{field} must be a JavaScript module beside the experiment file ({value})",
      "{field} must be a module that can be loaded ({error})",
      "{field} must have a function as its default export: options in, a policy out",
    ],
    cause: "A policy of an experiment file names a module that is missing, does not load, or exports something else.",
    remedy: "Paths are relative to the experiment file. `export default (options) => policy`; see *Add a policy*.",
  },
  {
    says: [
      "{field}.module must be loaded first: loadExperiment does so",
      "{field}.kind must not be combined with module, which determines it",
      "{field}.module must make a policy of these options",
      "{place} must make a policy: an object",
      "{kind} must differ from the kinds of the built-in policies",
      "{options} must be an object",
      "{create} must be a function",
      "{codec} must be an OfferCodec, because its peers meet",
    ],
    cause: "A policy module made something that is not a policy, or failed on the options that the file gives.",
    remedy: "Correct the field that is named; the compliance suite checks the rest (*Add a policy*).",
  },
  {
    says: ["{module} failed as the policy {name} in {name}: {error}"],
    cause: "A policy module threw while it was run.",
    remedy: "Correct the module. With `COTERIE_DEBUG=1` the stack is printed.",
  },
  {
    says: ["policies[{k}].kind must {bound}, unlike worlds[{world}]"],
    cause: "The policy cannot run in one of the worlds of this experiment.",
    remedy: "Leave one of them out, or make two experiments of it.",
  },
  {
    says: [
      "{field} must hold at least one entry",
      "{field} must hold at least one seed",
      "{field}[{twice}] must be listed once",
    ],
    cause: "A list of worlds, policies or seeds is empty, or names a seed twice.",
    remedy: "Fill it; give each seed once.",
  },
  {
    says: ["{field}[{k}].name must differ from {field}[{first}]'s (give it a name of its own)"],
    cause: "Two entries have the same name, so tables could not tell them apart.",
    remedy: 'Add `"name": "…"` to one of them.',
  },
  {
    says: [
      "{clusters} must be at most {peers}, the number of peers",
      "sum of {field} must be {peers}, the number of peers",
    ],
    cause: "There are more clusters than peers, or the sizes of the clusters do not add up.",
    remedy: "Change the number of peers, or that of the clusters.",
  },
  {
    says: [
      "{field} must be at most √2",
      "{field} must not be combined with {clusters} clusters in {dimension} dimensions (clusters must be below the dimension)",
      "{least} must be at most 1/{dimension}",
      "{field} must be at most 1",
    ],
    cause: "Such a world is impossible: that many vectors cannot be that far apart, or shares exceed 1.",
    remedy: "Lower the value, or raise the dimension.",
  },
  {
    says: [
      "{name} must not be combined with {other}: {why}",
      "{correlated} must not be combined with one-hot items, which have nothing in common",
      "{field}.share must not be combined with flip",
      "{field}.flip must be true, or be left out",
    ],
    cause: "Two fields of a world contradict each other; the message says how.",
    remedy: "Leave one of them out.",
  },
  {
    says: [
      "{field} must be {shown}, the number of items shown, or be left out",
      "{field}.items must be {features}, a feature for each one-hot item",
      '{field} must be used with a catalogue whose vectors are "one-hot"',
      "{field} must be used with at least 2 items",
      "{field}.high must be above {low}, which the other items have",
    ],
    cause: "A world's catalogue does not fit its arms, its features or its tastes.",
    remedy: "Change the number that is named; with a constant feature there is one feature fewer for items.",
  },
  {
    says: [
      "{field} must be used with at least 2 clusters, to move between",
      "{field} must hold at least one standard deviation",
    ],
    cause: "A field of a world needs more values.",
    remedy: "Give at least as many as the message says.",
  },
  {
    says: ["{field} must name at least one policy", "worlds[{w}].policies[{k}] must be the name of a policy ({known})"],
    cause: "A world names the policies that run in it, and one of them is not in the experiment.",
    remedy: "Use one of the names in the message, or leave the world's `policies` out to run them all.",
  },
  {
    says: ["visitor must be 0: this policy's centre cannot replace a peer"],
    cause: "A fleet of club, sclub or cofiba was told that a new peer takes another's place.",
    remedy: "Take solo, pooled, the oracle or a policy of peers there.",
  },
  {
    says: [
      "--shard must be auto, or like 2/4",
      "--shard auto must lie from 0 to {value}",
      "{name} must be a whole number for --shard auto",
      "--shard must run inside a Slurm array (SLURM_ARRAY_TASK_ID) or a Kubernetes Indexed Job (JOB_COMPLETION_INDEX and COTERIE_SHARDS)",
    ],
    cause:
      "The part of the experiment to run is not clear: it was misspelt, or `auto` was asked for where no scheduler says which.",
    remedy: "Write `--shard 2/4`, or run it in an array or an Indexed Job (see the folder deploy).",
  },
  {
    says: [
      "peers must be at most {shape}, so that {dimension} features and {slots} rounds of delay fit into 4 GiB, the limit of WebAssembly",
      "engine must run where WebAssembly supports 128-bit SIMD",
      "bench must run where WebAssembly supports 128-bit SIMD",
      "arms of {i} must be {arms} in every round",
    ],
    cause: "The batched engine cannot hold the world, or this machine cannot run its kernels.",
    remedy: "Take fewer peers or a smaller dimension, or leave the engine to Coterie, which takes the plain one then.",
  },
  {
    says: ["version must be {TRACE_VERSION}, which is read here"],
    cause: "A trace for `coterie replay` was written in a later format than this version knows.",
    remedy: "Replay it with the version of coterie that wrote it, or a later one.",
  },
  {
    says: [
      "rounds must hold at least one round",
      "{name} must be given for {algorithm}",
      "{networkExponent} must be a finite number of at least 0",
      "{name} must be at least 0 and below 1",
      "{field}.arms[{peer}] must hold at least one arm",
      "{field}[{i}] must be named once: partners are a permutation",
    ],
    cause: "A trace for `coterie replay` lacks something, or names a partner twice in a round.",
    remedy: "Complete the trace at the place that is named.",
  },
  {
    says: ["format must be 1, the format that --save writes", "ratios must be an object"],
    cause: "The file given to `coterie bench --compare` was not written by `coterie bench --save`.",
    remedy: "Save one first.",
  },
];
