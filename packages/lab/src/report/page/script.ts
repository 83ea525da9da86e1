import { createHash } from "node:crypto";

/**
 * Makes the headings of tables into buttons that sort. The page is whole without it; the policy of the page lets only
 * this script run, by its hash.
 */
export const script = `for (const table of document.querySelectorAll("table.sortable")) {
  const body = table.tBodies[0];
  const heads = [...table.tHead.rows[0].cells];
  heads.forEach((head, column) => {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => {
      const down = head.getAttribute("aria-sort") === "ascending";
      heads.forEach((other) => other.removeAttribute("aria-sort"));
      head.setAttribute("aria-sort", down ? "descending" : "ascending");
      const numeric = head.classList.contains("number");
      const keyed = [...body.rows].map((row) => [row.cells[column].dataset.order, row]);
      keyed.sort(([a], [b]) => {
        if (a === undefined || b === undefined) return (a === undefined) - (b === undefined);
        return (numeric ? a - b : a.localeCompare(b)) * (down ? -1 : 1);
      });
      body.append(...keyed.map(([, row]) => row));
    });
  });
}`;

const hash = createHash("sha256").update(script).digest("base64");

/** Nothing from outside, nothing but the script above. */
export const contentPolicy = `default-src 'none'; style-src 'unsafe-inline'; img-src data:; script-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'`;
