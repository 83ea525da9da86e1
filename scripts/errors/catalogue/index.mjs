import * as app from "./app.mjs";
import * as checks from "./checks.mjs";
import * as command from "./command.mjs";
import * as core from "./core.mjs";
import * as data from "./data.mjs";
import * as evaluate from "./evaluate.mjs";
import * as http from "./http.mjs";
import * as options from "./options.mjs";
import * as others from "./others.mjs";
import * as ours from "./ours.mjs";
import * as process from "./process.mjs";
import * as results from "./results.mjs";
import * as store from "./store.mjs";

/** Every message that somebody who uses Coterie can meet, in groups: what it says, why, and what to do. */
export const catalogue = [
  command,
  options,
  results,
  data,
  process,
  http,
  app,
  evaluate,
  store,
  others,
  checks,
  core,
  ours,
];
