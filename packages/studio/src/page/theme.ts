import { ink, readInk } from "./ink.ts";

/** Where the documentation keeps its reader's choice of light or dark. */
const KEY = "coterie-theme";

/** On the documentation site (`data-home`) a page has the colours that its reader chose there; elsewhere the system's. */
export function followTheme(): void {
  const page = document.documentElement;
  if (page.dataset.home === undefined) return;
  const take = (): void => {
    let kept: string | null = null;
    try {
      kept = localStorage.getItem(KEY);
    } catch {
      // Storage is forbidden: then the system's.
    }
    if (kept === "light" || kept === "dark") page.dataset.theme = kept;
    else delete page.dataset.theme;
    ink.value = readInk();
  };
  take();
  addEventListener("storage", take);
}
