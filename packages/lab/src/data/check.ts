import { DATASETS, type Dataset, datasetsNamed, loaderNamed } from "./datasets.ts";
import type { Note } from "./interactions.ts";
import { present } from "./loaders/present.ts";

/** How a copy of a dataset compares with what its authors publish. */
export interface CheckResult {
  /** The dataset it was compared with; for `movielens` the one of that family that it resembles most. */
  readonly dataset: string;
  /**
   * complete: every published count is met. partial: some fall short, or a file that is read is missing.
   * different: some are exceeded, or all are those of another dataset.
   */
  readonly status: "complete" | "partial" | "different";
  /** `found` is null where a missing file leaves it unknown. */
  readonly counts: readonly { readonly what: string; readonly found: number | null; readonly published: number }[];
  /** Official files that are not there; those not needed do not make a copy partial. */
  readonly missing: readonly { readonly file: string; readonly needed: boolean }[];
  readonly notes: readonly Note[];
}

type Counts = CheckResult["counts"];
type Missing = CheckResult["missing"];

/** Reads a copy of a dataset and compares its counts. A damaged file is an error, not a result. */
export async function checkDataset(name: string, directory: string): Promise<CheckResult> {
  const loader = loaderNamed(name);
  const files = await loader.files(directory);
  const readable = (await present(directory, files)).length === files.length;
  const interactions = readable ? await loader.load(directory) : undefined;
  const found = interactions?.counts ?? {};
  const { dataset, missing } = await nearest(datasetsNamed(name), directory, found);
  const counts = Object.entries(dataset.published).map(([what, published]) => ({
    what,
    found: found[what] ?? null,
    published,
  }));
  const status = isAnother(dataset, found) ? "different" : statusOf(counts);
  return { dataset: dataset.name, status, counts, missing, notes: interactions?.notes ?? [] };
}

function statusOf(counts: Counts): CheckResult["status"] {
  if (counts.some(({ found, published }) => found !== null && found > published)) return "different";
  return counts.every(({ found, published }) => found === published) ? "complete" : "partial";
}

/** A small dataset is not a part of a larger one in the same format. */
function isAnother(dataset: Dataset, found: Readonly<Record<string, number>>): boolean {
  const equals = ({ published }: Dataset) => Object.entries(published).every(([what, count]) => found[what] === count);
  return !equals(dataset) && DATASETS.some((other) => other.loader === dataset.loader && equals(other));
}

/** Of several datasets the one whose files are there and whose number of ratings is closest. */
async function nearest(
  datasets: readonly Dataset[],
  directory: string,
  found: Readonly<Record<string, number>>,
): Promise<{ dataset: Dataset; missing: Missing }> {
  const candidates = await Promise.all(
    datasets.map(async (dataset) => {
      const missing = await missingFiles(dataset, directory);
      const distance = Math.abs((found.ratings ?? 0) - (dataset.published.ratings ?? 0));
      return { dataset, missing, distance, lacking: missing.filter(({ needed }) => needed).length };
    }),
  );
  candidates.sort((a, b) => a.lacking - b.lacking || a.distance - b.distance);
  return candidates[0]!;
}

async function missingFiles(dataset: Dataset, directory: string): Promise<Missing> {
  const missing: { file: string; needed: boolean }[] = [];
  for (const choice of dataset.needed) {
    const found = await present(directory, choice);
    for (const file of choice) if (!found.includes(file)) missing.push({ file, needed: found.length === 0 });
  }
  const found = await present(directory, dataset.others);
  for (const file of dataset.others) if (!found.includes(file)) missing.push({ file, needed: false });
  return missing;
}
