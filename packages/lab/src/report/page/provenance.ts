import type { Run } from "../../results/read.ts";
import { count, numberText } from "../numbers.ts";
import { RESAMPLES } from "../statistics/resamples.ts";
import { escaped, escapedLines, listed } from "../text.ts";

/** Where the numbers come from: what was run, with what, on what, and how to run it again. */
export function provenance(run: Run): string {
  const manifests = run.sources.map(({ manifest }) => manifest);
  const distinct = (values: readonly string[]): string => escaped(listed([...new Set(values)]));
  const entries: [string, string][] = [
    ["Experiment", escaped(run.name)],
    ["Cells", `${numberText(run.results.length, 0)} of ${numberText(run.cells, 0)} finished`],
    ["Coterie", `version ${distinct(manifests.map(({ version }) => version))}`],
    [
      "Engine",
      distinct(
        manifests.map(({ engine }) => `Node ${engine.node.replace(/^v/, "")}, ${engine.platform} ${engine.arch}`),
      ),
    ],
    ["Begun", distinct(manifests.map(({ created }) => created))],
    ["Read from", distinct(run.sources.map(({ file }) => file))],
  ];
  const shards = manifests.filter(({ shard }) => shard.of > 1);
  if (shards.length > 0) entries.push(["Shards", distinct(shards.map(({ shard }) => `${shard.index} of ${shard.of}`))]);
  return `<dl>${entries.map(([name, value]) => `<dt>${name}</dt><dd>${value}</dd>`).join("")}</dl>
<p>To run it again, save the experiment below as <code>experiment.json</code>, then:</p>
<pre><code>coterie run experiment.json --out results
coterie report results --html report.html</code></pre>
<details><summary>The experiment</summary>
<pre><code>${escapedLines(JSON.stringify(run.experiment, null, 2) ?? "")}</code></pre></details>`;
}

/** How the numbers were made, for those who want to judge them. */
export function aboutNumbers(): string {
  return `<p>A run is one world, one policy and one seed; every number is a mean over seeds. Brackets and bands are 95 % intervals over
seeds: from ten seeds on a percentile bootstrap of ${numberText(RESAMPLES, 0)} resamples with tails widened for few seeds, below ten the
jackknife with Student's t. They cover chance between seeds, not the choice of worlds, and are too narrow where a few seeds differ
much from all others.</p>
<p>Policies are compared over the seeds they share, because in the same seed all of them meet the same arms and noise. The p
value is that of a sign-flip test on the differences, two-sided, not corrected for several comparisons; with ${count(5, "seed")} it
cannot fall below 0.0625.</p>`;
}

/** What is not there: listed, not hidden. */
export function missingNotice(run: Run): string {
  if (run.missing.length === 0) return "";
  const items = run.missing.map(({ cell, world, policy, seed }) => {
    const named = [world, policy, seed === null ? null : `seed ${seed}`].filter((part) => part !== null);
    return `<li>${escaped(named.length === 0 ? `cell ${cell}` : named.join(", "))}</li>`;
  });
  return `<div class="notice" role="note"><p><strong>${count(run.missing.length, "cell")} of ${numberText(run.cells, 0)} not finished.</strong>
Means are over the seeds that are there.</p>
<details><summary>Which</summary><ul>${items.join("")}</ul></details></div>`;
}
