// From a run to a figure of your own: regret over rounds, as a multiple of solo's.
//   npx coterie run quick --out runs/quick, then: node figure.mjs runs/quick figures
import { report } from "@coterie/lab";

const [run = "runs/quick", folder = "figures"] = process.argv.slice(2);

const relative = {
  id: "regret-over-solo",
  title: "Regret over rounds, as a multiple of solo's",
  kind: "curves", // or dots, against (a parameter), loglog, tradeoff (two measures)
  measure: "regret",
  relativeTo: "solo",
  only: ({ kind }) => kind !== "random",
};
const { files, document } = await report([run], { svg: folder, csv: `${folder}/rows.csv`, figures: () => [relative] });
for (const { sentence } of document.figures) console.log(sentence);
for (const file of files) console.log(`wrote ${file}`);
