// Colours: as the system has them, light, or dark. Runs before anything is drawn, so that nothing flashes.
(() => {
  const THEMES = ["system", "light", "dark"];
  const KEY = "coterie-theme";
  const page = document.documentElement;
  const current = () => page.dataset.theme ?? "system";

  /** Nothing is kept where storage is forbidden; then a choice holds for this page alone. */
  const stored = (use) => {
    try {
      return use(localStorage);
    } catch {
      return null;
    }
  };
  const kept = stored((storage) => storage.getItem(KEY));
  if (kept === "light" || kept === "dark") page.dataset.theme = kept;

  function show(button) {
    button.textContent = { system: "Auto", light: "Light", dark: "Dark" }[current()];
    button.setAttribute("aria-label", `${button.textContent} colours. Change`);
    for (const source of document.querySelectorAll("picture source")) {
      source.dataset.media ??= source.media;
      const asked = source.dataset.media;
      source.media = current() === "system" ? asked : asked.includes(current()) ? "all" : "not all";
    }
  }

  document.addEventListener("DOMContentLoaded", () => {
    const button = document.getElementById("theme");
    button.hidden = false;
    button.addEventListener("click", () => {
      const next = THEMES[(THEMES.indexOf(current()) + 1) % THEMES.length];
      if (next === "system") delete page.dataset.theme;
      else page.dataset.theme = next;
      stored((storage) => (next === "system" ? storage.removeItem(KEY) : storage.setItem(KEY, next)));
      show(button);
    });
    show(button);
  });
})();
