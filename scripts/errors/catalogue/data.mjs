export const title = "Datasets";
export const entries = [
  {
    says: ["dataset must be one of {names}"],
    cause: "No dataset has that name.",
    remedy: "`coterie data list` names them.",
  },
  {
    says: ["the directory must be an existing directory", "directory must be a directory that can be read"],
    cause: "The dataset's files are not where they were said to be.",
    remedy: "Check the path, or run `coterie data import NAME DIR` again.",
  },
  {
    says: ["Dataset {name} not found"],
    cause:
      "The dataset was not downloaded or imported on this machine, and `COTERIE_DATA` does not name a folder that has it.",
    remedy: "`coterie data fetch NAME` downloads it; `coterie data import NAME DIR` takes files that you have.",
  },
  {
    says: [
      "directory must hold the file {path}",
      "directory must hold {names}",
      "directory must hold {lacking} of {dataset}",
      "directory must hold {dataset} ({published} {what}, not {found})",
      "directory must hold one MovieLens dataset, not {found}",
    ],
    cause: "The directory does not contain the official files, or contains those of another dataset.",
    remedy: "Unpack the official archive, and give the directory that the files are in.",
  },
  {
    says: [
      "{path} line {value} length must be at most {LINE_CHARACTERS} characters",
      "{file} line {number} number of fields must be {length}",
      "{file} line {number} number of fields must be 0",
      "{file} number of lines must be at least 1",
      "{file} number of rows must be at least {atLeast}",
      "{file} line 1 must begin with the header {expected}",
      "{file} line {first} must close its double quotes",
      "{file} line {first} must have a comma or its end after a closing quote",
      "u.genre number of rows must be {GENRE_COUNT}",
      "{where} must be listed in {listing} (as in all but {value} % of the rows)",
    ],
    cause: "A file is not as its authors publish it: cut off, edited, or saved again by a spreadsheet.",
    remedy: "Take the official file; `coterie data check NAME DIR` compares all of them.",
  },
  {
    says: [
      "{file} line {number} {column} must be listed once",
      "{file} line {number} {column} must be {length}, counting from 0",
      "{file} line {number} {column} must be 0 or 1",
      "{file} line {number} {column} must be a whole number from {low} to {high}",
      "{file} line {number} {column} must be a number from {low} to {high}",
    ],
    cause: "A field of a row is not what its column holds in the official file.",
    remedy: "Look at that line; take the official file if it was changed.",
  },
  {
    says: [
      "peers must be at most {length}, the users of {dataset} with an item in the catalogue",
      "dimension must be at most {most}, {what}",
    ],
    cause: "The world asks for more users, or more features, than the dataset has.",
    remedy: "Lower it to the number that is named.",
  },
  {
    says: ["order must be drawn for {dataset}, whose times are not known"],
    cause:
      "A world with `order: time` needs the time of every item. The loader of Delicious reads none; files in a known form may lack the columns for it.",
    remedy:
      "Leave `order` out, or take files with times: `day`, `month` and `year` for Last.fm, `timestamp` for MovieLens.",
  },
  {
    says: [
      "rounds must be at most {n}, the items of all users together",
      "rounds must be given if order is time",
      "rounds must be at least as many as are played",
    ],
    cause:
      "With `order: time` each item of each user is offered once, and these events are cut into the experiment's rounds.",
    remedy: "Ask for fewer rounds, or for more users. In a program, give `createWorld` as many rounds as are played.",
  },
  {
    says: ["{path} must be a list of datasets of version {VERSION} (JSON)"],
    cause: "The list of datasets on this machine was changed by hand or by another version.",
    remedy: "Delete the file, and import the datasets again.",
  },
  {
    says: ["{url}: {reason}; {after} bytes are kept, and fetching again continues from there"],
    cause: "The download broke off, or the server refused it.",
    remedy:
      "Fetch again; it goes on where it stopped. Without a way to the server, import files that came another way.",
  },
  {
    says: [
      '{url} is not the file of the first download: {sizeBytes} bytes with SHA-256 {sha256}, then {sizeBytes} with {sha256}; to accept it, remove "archive" from {datasetsjson}',
    ],
    cause: "The server gives another file than it did before: a new edition, or not the official one.",
    remedy: "Find out which; to take the new one do as the message says.",
  },
  {
    says: [
      "the archive does not hold the files of {name}",
      "the archive holds {length} files, more than {entries}",
      "the archive unpacks to {bytes} bytes, more than {bytes}",
      "the archive holds {shown}, which would be written outside its directory",
      "the archive holds {shown} twice",
      "the archive packs {shown} by unknown method {method}",
      "the archive is damaged at {name}: {code}",
      "the archive is damaged: {name} {what}",
      "a zip64 archive is not read",
      "the directory of the archive has {size} bytes",
      "the archive is cut off: its directory points beyond its end",
      "the directory of the archive is damaged",
      "the archive holds {name}, which is encrypted",
      "the archive holds {name}, which is a link",
      "the archive is damaged at {name}",
      "the file is not a whole zip archive: it has no directory at its end",
    ],
    cause:
      "What came is not the official archive, or was damaged or tampered with on its way. Nothing of it was written.",
    remedy:
      "Fetch again from the official place (without `--from`). If it stays so, unpack it by hand and import the directory.",
  },
];
