/**
 * The packages with a reference of their own: the files from which an app imports, by the name it imports; never `/internal`.
 * `first` is shown before everything else.
 */
export const PACKAGES = [
  {
    name: "net",
    first: "createPeer",
    entries: {
      "@coterie/net": "src/index.ts",
      "@coterie/net/browser": "src/browser.ts",
      "@coterie/net/store": "src/store/folder/index.ts",
    },
  },
  { name: "core", first: "initialPeer", entries: { "@coterie/core": "src/index.ts" } },
  { name: "lab", entries: { "@coterie/lab": "src/index.ts" } },
  { name: "kernels", entries: { "@coterie/kernels": "src/index.ts" } },
  { name: "webrtc", entries: { "@coterie/webrtc": "src/index.ts" } },
  { name: "compliance", entries: { "@coterie/compliance": "src/index.ts" } },
];

/** The order in which pages are listed and read. A page not named here is made when another one links to it. */
export const CONTENTS = [
  {
    title: "Start",
    pages: [
      { path: "README.md", label: "Coterie" },
      { path: "docs/why.md" },
      { path: "docs/get-started.md" },
      { path: "docs/policies.md" },
    ],
  },
  {
    title: "Guides",
    pages: [
      { path: "docs/guides/web-app.md" },
      { path: "docs/guides/fleet.md" },
      { path: "docs/guides/workers.md" },
      { path: "docs/guides/deploys.md" },
      { path: "docs/guides/contexts.md" },
      { path: "docs/guides/slates.md" },
      { path: "docs/guides/measure.md" },
      { path: "docs/guides/compare.md" },
      { path: "docs/guides/policy.md" },
      { path: "docs/guides/dataset.md" },
      { path: "docs/guides/dashboard.md" },
    ],
  },
  {
    title: "Concepts",
    pages: [
      { path: "docs/concepts/gossip.md" },
      { path: "docs/concepts/clusters.md" },
      { path: "docs/concepts/borrowing.md" },
      { path: "packages/studio/pages/lab.html", label: "The lab, to try it" },
      { path: "docs/transcripts.md" },
      { path: "GLOSSARY.md" },
    ],
  },
  {
    title: "Evidence",
    pages: [
      { path: "docs/paper.md", label: "The paper" },
      { path: "docs/kindred.md" },
      { path: "docs/kindred-trials.md", label: "Kindred: what was tried" },
      { path: "docs/kindred-before.md", label: "Kindred: an early version" },
      { path: "docs/reliability.md" },
      { path: "docs/scale.md" },
      { path: "docs/speed.md" },
      { path: "docs/engine.md" },
    ],
  },
  {
    title: "Reference",
    pages: [
      { path: "docs/protocol.md" },
      { path: "docs/experiments.md" },
      { path: "docs/evaluation.md" },
      { path: "docs/operate.md", label: "Operating" },
      { path: "SECURITY.md" },
      { path: "docs/errors.md" },
      { path: "docs/stability.md" },
      ...PACKAGES.map(({ name }) => ({ path: `packages/${name}/src/index.ts`, label: `@coterie/${name}` })),
    ],
  },
  {
    title: "Decisions",
    pages: [
      { path: "docs/decisions/01-pure-machines.md" },
      { path: "docs/decisions/02-one-factor.md" },
      { path: "docs/decisions/03-same-bits.md" },
      { path: "docs/decisions/04-exact-under-its-name.md" },
      { path: "docs/decisions/05-delivery.md" },
      { path: "docs/decisions/06-write-before-saying.md" },
      { path: "docs/decisions/07-partial-views.md" },
      { path: "docs/decisions/08-fleet-and-evaluation-in-core.md" },
      { path: "docs/decisions/09-own-checks.md" },
      { path: "docs/decisions/10-cells.md" },
    ],
  },
  {
    title: "Project",
    pages: [{ path: "ARCHITECTURE.md" }, { path: "CONTRIBUTING.md" }, { path: "CHANGELOG.md" }],
  },
];
