import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import type { Run } from "../../results/read.ts";
import { runOf } from "../../results/read.ts";
import { summarise } from "../summary.ts";
import { madeResults, madeRun } from "../testing/results.ts";
import { type PageFigure, page } from "./page.ts";

const HOSTILE = `<script>alert("x")</script><img src=x onerror='alert(1)'>`;

const figure: PageFigure = {
  id: "regret",
  title: HOSTILE,
  sentence: HOSTILE,
  inline: "<svg></svg>",
  svg: "<svg><title>alone</title></svg>",
  csv: "a,b\n1,2\n",
};

const hostileRun = (): Run =>
  madeRun({
    name: HOSTILE,
    worlds: [{ name: HOSTILE }],
    policies: [
      { kind: "solo", level: 2 },
      { kind: "dccb", name: HOSTILE, level: 1 },
    ],
  });

const pageOf = (run: Run, figures: readonly PageFigure[] = []): string => page(run, summarise(run.results), figures);

describe("the page", () => {
  it("asks for nothing from outside", () => {
    const html = pageOf(madeRun(), [figure]);
    expect(html.replaceAll("http://www.w3.org/2000/svg", "")).not.toMatch(/https?:|\/\/[a-z]+\./);
    for (const [, target] of html.matchAll(/(?:href|src)="([^"]*)"/g)) expect(target).toMatch(/^(data:|#)/);
    expect(html).not.toMatch(/@import|url\(/);
  });

  it("lets one script run, the one it has", () => {
    const html = pageOf(madeRun());
    const scripts = [...html.matchAll(/<script>([\s\S]*?)<\/script>/g)].map(([, script]) => script!);
    expect(scripts).toHaveLength(1);
    const hash = createHash("sha256").update(scripts[0]!).digest("base64");
    expect(html).toContain(`script-src &#39;sha256-${hash}&#39;`);
    expect(html).toContain("default-src &#39;none&#39;");
  });

  it("escapes every name", () => {
    const html = pageOf(hostileRun(), [figure]);
    expect(html).not.toContain("<script>alert");
    expect(html).not.toContain("<img");
    expect(html).toContain("&lt;script&gt;alert(&quot;x&quot;)&lt;/script&gt;");
    expect(html.match(/<script/g)).toHaveLength(1);
  });

  it("has headings, captions and scopes, and ids of which none stands twice", () => {
    const html = pageOf(madeRun({ worlds: [{ name: "a" }, { name: "b" }] }), [figure, { ...figure, id: "other" }]);
    expect(html.match(/<h1>/g)).toHaveLength(1);
    expect(html.match(/<caption>/g)).toHaveLength(2);
    expect(html.match(/<th scope="row"/g)).toHaveLength(8);
    expect(html.match(/<th(?![a-z])(?! scope=)/g)).toBeNull();
    const ids = [...html.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const [, id] of html.matchAll(/href="#([^"]*)"/g)) expect(ids).toContain(id);
    for (const [, id] of html.matchAll(/aria-labelledby="([^" ]*)"/g)) expect(ids).toContain(id);
  });

  it("puts the best in bold", () => {
    const bold = [...pageOf(madeRun()).matchAll(/<strong>([^<]*)<\/strong>/g)].map(([, text]) => text);
    expect(bold).toHaveLength(2);
  });

  it("carries the data and the figure as files", () => {
    const html = pageOf(madeRun(), [figure]);
    const links = new Map(
      [...html.matchAll(/download="([^"]*)" href="data:[^,]*;base64,([^"]*)"/g)].map(([, name, data]) => [
        name,
        Buffer.from(data!, "base64").toString("utf8"),
      ]),
    );
    expect(links.get("regret.csv")).toBe(figure.csv);
    expect(links.get("regret.svg")).toBe(figure.svg);
    expect(links.get("four-clusters.csv")).toMatch(/^policy,kind,seeds,regret,regret low,/);
    expect(links.get("four-clusters.csv")!.trim().split("\n")).toHaveLength(5);
  });

  it("lists what is missing and where all came from", () => {
    const whole = madeRun();
    const run = runOf(whole.sources, madeResults().slice(0, -1));
    const html = pageOf(run);
    expect(html).toContain("1 cell of 32 not finished.");
    expect(html).toContain("<li>four clusters, oracle, seed 8</li>");
    expect(html).toContain("version 0.1.0");
    expect(html).toContain("Node 20.0.0, linux x64");
    expect(html).toContain("made/manifest.json");
    expect(pageOf(whole)).not.toContain("not finished");
  });
});
