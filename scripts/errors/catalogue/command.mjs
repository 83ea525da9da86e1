export const title = "The command line";
export const intro =
  "Exit code 2, and one sentence on standard error. `coterie COMMAND --help` lists the options of a command.";

/** What the parser of the command line finds, in the words of cli/src/words.ts; a test meets each of them. */
export const parser = [
  {
    says: ["there is no command {word}"],
    cause: "There is no such command; where one is spelt alike it is named.",
    remedy: "`coterie --help` lists them.",
  },
  {
    says: ["there is no option --{name}"],
    cause: "The command has no such option; where one is spelt alike it is named.",
    remedy: "`coterie COMMAND --help` lists them.",
  },
  {
    says: ["--{name} must be one of {values}"],
    cause: "The option takes one of a few words.",
    remedy: "Use one of the names in the message.",
  },
  {
    says: ["--{name} must be given, with a value", "{NAME} must be given"],
    cause: "A required argument or option is missing.",
    remedy: "Add it; `coterie COMMAND --help` shows an example of the order.",
  },
  {
    says: ["{word} is one argument too many: this command takes {count}"],
    cause: "There is an extra argument, often because a value with spaces was not quoted.",
    remedy: "Leave it out, or quote the value.",
  },
];

export const entries = [
  {
    says: ["{name} must be a finite number", "--seconds must be a number above 0, at most 600"],
    cause: "An option that takes a number was given something else, or one out of bounds.",
    remedy: "Give a number in plain digits, such as 0.5.",
  },
  {
    says: ["{flag} must not be combined with {variable} in the environment"],
    cause: "The secret is given twice: in a file and in an environment variable.",
    remedy: "Leave one of them out.",
  },
  {
    says: ["{flag} must be a file with the secret in one line"],
    cause: "The file is empty or has more than one line.",
    remedy: "Write the secret alone into it, in one line.",
  },
  {
    says: ["{flag} must be a file that can be read", "{path} must be a file that can be read"],
    cause:
      "The file is missing, is a folder, or may not be read by this user (then the system's code stands behind it).",
    remedy: "Check the path (it is taken from the current directory) and its permissions.",
  },
  {
    says: ["{path} must be JSON ({message})"],
    cause: "The file is not valid JSON: often because of an extra comma or a comment.",
    remedy: "Correct the place that the message names.",
  },
  {
    says: ["the benchmark must be one of {BENCHES}, exchange", "the benchmark must be run from the repository"],
    cause: "No benchmark has that name, or it comes with the repository and not with the package.",
    remedy: "Use one of the names in the message; clone the repository for `exchange`.",
  },
  {
    says: ["bench/exchange.mjs ended with exit code {code}"],
    cause: "The benchmark's own process failed; what it said stands above.",
    remedy: "Run `node bench/exchange.mjs` in the repository to see it alone.",
  },
  {
    says: ["--json must come with --rounds"],
    cause: "A demo without an end has no summary to print.",
    remedy: "Add `--rounds N`.",
  },
  {
    says: ["--{name} must not be given with --replay"],
    cause: "A recording cannot be changed, so it takes no other options.",
    remedy: "Leave out one of the two options.",
  },
  {
    says: ["--room must be given once if there is a room key"],
    cause: "A hub was given a room key, and no room or several to use it for.",
    remedy: "Name the one room with `--room`, or leave the key out: a hub does not need it.",
  },
  {
    says: [
      "--dimension must not be combined with --features",
      "--features must be a file, unless --dimension is given",
    ],
    cause: "A peer must know what items are: by named features, or as plain vectors. It was told both, or neither.",
    remedy: "Give one of `--features FILE.json` and `--dimension D`.",
  },
  {
    says: ["--reward-range must be LOW,HIGH such as 0,1"],
    cause: "The range is not two numbers with a comma between them.",
    remedy: "Write `--reward-range 0,1`; where the first is negative `--reward-range=-1,1`.",
  },
  {
    says: [
      "the experiment must be named: a file, or one that coterie run --list names",
      "the experiment must be a file, or one of {value}",
    ],
    cause: "No experiment was named, or none that comes with Coterie and no file has that name.",
    remedy: "`coterie run --list` names those that come with it; a file's name has a dot or a slash in it.",
  },
  {
    says: ["--mutant must be one that `coterie storm --mutant list` names", "--attack must be one of {attackNames}"],
    cause: "The storm knows no such mutant or attack.",
    remedy: "Take a name from the list.",
  },
  {
    says: ["--policy must be one whose peers meet in pairs: kindred, dccb, dcb"],
    cause: "The demo shows peers that meet; this policy has none, or needs a centre.",
    remedy: "Take one of the three.",
  },
  {
    says: ["--replay must be a file that can be read", "--replay must be a recording ({message})"],
    cause: "The file is not there, or was not written by `coterie demo --record` of this version.",
    remedy: "Check the path, or record again.",
  },
  {
    says: ["there is no {name}: build the pages first (npm run build)"],
    cause: "The pages are built with the rest of the repository, and were not.",
    remedy: "`npm run build`, or `npm ci`.",
  },
];
