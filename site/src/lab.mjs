import { existsSync } from "node:fs";
import { escapeHtml } from "./highlight.mjs";
import { absolute } from "./repository.mjs";

const BUILT = "packages/studio/dist/static";

/** The files of the lab's page, as `npm run build` makes them; they stand beside it. */
export function labFiles() {
  return ["lab.js", "lab-worker.js"].map((name) => {
    const file = absolute(`${BUILT}/${name}`);
    if (!existsSync(file)) throw new Error(`there is no ${BUILT}/${name}: build the pages first (npm run build)`);
    return { name, file };
  });
}

/** The lab's page: the same script that the demo serves, with a way back to the texts. */
export const LAB_PAGE = `<!doctype html>
<html lang="en" data-home="../index.html">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Lab · Coterie</title>
<link rel="icon" href="data:,">
</head>
<body>
<div id="app"></div>
<noscript>This page runs a simulation in the browser and needs JavaScript; nothing is loaded from elsewhere. <a href="../index.html">Back</a></noscript>
<script src="lab.js"></script>
</body>
</html>
`;

/** `<!-- lab: NAME -->` in a text: the lab in a frame, with that preset. `address` leads to the lab. */
export function labFrame(name, address) {
  const at = escapeHtml(address);
  const preset = encodeURIComponent(name);
  return `<figure class="lab"><iframe src="${at}?embed&amp;preset=${preset}" title="The lab, with the preset ${escapeHtml(name)}" loading="lazy"></iframe>
<figcaption><a href="${at}?preset=${preset}">Open the lab</a></figcaption></figure>
`;
}
