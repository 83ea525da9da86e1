/** A process that starts peers on damaged stores, one at a time, as it is told; it may die of one. */
import { type DamagePolicy, start } from "./start.ts";

process.on("message", ({ path, policy }: { readonly path: string; readonly policy: DamagePolicy }) => {
  void start(path, policy).then((came) => process.send?.(came));
});
process.on("disconnect", () => process.exit(0));
