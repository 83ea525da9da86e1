import { batchTable, keepRows } from "./tables/batch.mjs";
import { coverageTable } from "./tables/coverage.mjs";
import { keepReal, realPictures, realTable } from "./tables/real.mjs";
import {
  attackTable,
  chaosTable,
  damageTable,
  fuzzTable,
  keepChaos,
  keepStorm,
  soakTable,
  stormTable,
} from "./tables/reliability.mjs";
import { chooseTable, exchangeTable, kernelTable, roundsTable } from "./tables/speed.mjs";

/**
 * Everything that is measured by one command and shown as one table. `command` is what a reader types, without `--json`;
 * `keep` takes from the command's answer what is worth keeping; `show` makes the table of that, `pictures` the files of
 * docs/pictures by name. A command with `resumed` streams to a directory, so that a long one can be stopped and gone on with.
 */
export const FIGURES = [
  { name: "rounds", command: "npm run bench -- --seconds 3", show: roundsTable },
  { name: "kernels", command: "coterie bench kernels", show: kernelTable },
  { name: "choose", command: "coterie bench choose", show: chooseTable },
  { name: "exchange", command: "coterie bench exchange", show: exchangeTable },
  { name: "storm", command: "coterie storm --seeds 200", keep: keepStorm, show: stormTable },
  {
    name: "storm-small",
    command: "coterie storm --seeds 250 --peers 6 --rounds 40",
    keep: keepStorm,
    show: stormTable,
  },
  { name: "fuzz", command: "coterie storm --fuzz 1000000", show: fuzzTable },
  { name: "damage", command: "coterie storm --damage 500", show: damageTable },
  { name: "attacks", command: "coterie storm --attack all", show: attackTable },
  {
    name: "chaos",
    command: "coterie chaos --peers 6 --seconds 20 --policy dcb",
    keep: keepChaos,
    show: chaosTable,
  },
  { name: "soak", command: "coterie soak --rounds 600 --peers 3", show: soakTable },
  { name: "coverage", command: "npm run coverage", show: coverageTable },
  { name: "batch", command: "coterie run docs/batch.json", keep: keepRows, show: batchTable },
  {
    name: "real",
    command: "coterie run real",
    resumed: true,
    keep: keepReal,
    show: realTable,
    pictures: realPictures,
  },
];
