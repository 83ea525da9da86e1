export const title = "Checks that were asked for and do not hold";
export const intro = "Exit code 3. The command worked; what it was asked to check is not so.";
export const entries = [
  {
    says: ["{path} is damaged: {fault}"],
    cause: "Bytes of the store changed outside of Coterie: a disk's fault, or somebody's hand.",
    remedy:
      "Start the peer: it goes on from the last intact state, and keeps a damaged copy beside it. docs/operate.md says what is lost.",
  },
  {
    says: ["{failed} of {length} checks found something bad"],
    cause: "`coterie doctor` found something that a hub or a peer could not live with.",
    remedy: "Each line that begins with bad is followed by what to do.",
  },
  {
    says: ["{place} is a {status} copy of {dataset}"],
    cause: "Rows or files are missing from what the authors publish.",
    remedy: "Fetch the dataset again (`coterie data fetch NAME`), or import a whole copy.",
  },
  {
    says: [
      "{length} inputs were handled wrongly",
      "{failed} of {length} seeds failed, the first is {seed}",
      "{length} of {seeds} damages were handled wrongly",
      "{kept} of {seeds} damages kept everything of the last snapshot",
      "seed {seed}: {failures}",
      "{length} invariants of the view were violated",
    ],
    cause: "A benchmark fell behind the saved one, or a storm, a fuzz run or a chaos run found a promise broken.",
    remedy: "Run the one seed again (`--seeds 1 --from SEED`); CONTRIBUTING.md says how to read what it prints.",
  },
];
