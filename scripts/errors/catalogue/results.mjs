export const title = "Runs and reports";
export const entries = [
  {
    says: ["--out must be a directory without results of such a run (or give --resume to continue)"],
    cause: "The directory has results already, and they are never overwritten.",
    remedy: "Take another directory, or `--resume`.",
  },
  {
    says: [
      "{path} must be of the same experiment as the one to resume ({name})",
      "{path} must be of version {version}: results of two versions do not mix",
      "{path} must be of the same policy modules: this one has changed since the run began",
    ],
    cause:
      "The directory holds another experiment, or the same one run by another version or with another policy module.",
    remedy: "Start anew in another directory.",
  },
  {
    says: [
      "{path} must be the manifest of a run",
      "{path} line {value} must be a result",
      "{file} must be JSON",
      "{place} must be one JSON result",
      "{format} must be 1, the format known here",
      "{place}: cell must be below {cells}, the cells of {file}",
    ],
    cause: "A file of the run was changed by hand, cut off in its middle, or is of another version.",
    remedy:
      "Restore it, or run the experiment again. A last line that was cut off by a crash is no error: it is left out.",
  },
  {
    says: [
      "directories must name at least one run directory",
      "directory must be a run directory (one that holds a manifest.json)",
      "directory must hold at least one finished run",
    ],
    cause: "The report was given no directory, one that no run wrote, or one whose first cell is not finished.",
    remedy: "Give the directory that `coterie run` names at its end (`runs/NAME`).",
  },
  {
    says: [
      "{file}: {path} must be as in {file} ({left}) to be merged with it",
      "{place}: {path} must equal that of {place} ({left}), the same cell",
      "the name of cell {cell} must differ from that of cell {other}",
    ],
    cause: "The directories are not shards of one experiment, or were run by two versions.",
    remedy: "Report them one by one, or run the shard that differs again.",
  },
  {
    says: ["--tables must end in .tex or .csv"],
    cause: "The name of the file says in which format tables are written, and this one names no format.",
    remedy: "`--tables tables.tex` for LaTeX, `--tables tables.csv` for CSV.",
  },
  {
    says: ["a thread ended with {code} before it answered"],
    cause: "A worker thread of `coterie run` or `coterie storm` ended by itself, which none does of its own accord.",
    remedy:
      "Give the machine more memory, or run fewer at once (`--jobs 1`); `--resume` goes on where `coterie run` stopped. If it comes again, report it.",
  },
];
