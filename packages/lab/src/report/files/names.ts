import { extname } from "node:path";

/** `results.csv` → `results-checkpoints.csv`: the second table stands beside the first. */
export function checkpointsBeside(path: string): string {
  const extension = extname(path);
  return `${path.slice(0, path.length - extension.length)}-checkpoints${extension}`;
}
