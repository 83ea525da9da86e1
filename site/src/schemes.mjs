/** A figure follows the system's colours; on a page with a scheme of its own it has to follow the page's. */
export function inSchemes(svg) {
  const [style, light] = svg.match(/<style>\.coterie-figure\{([^}]*)\}.*?<\/style>/s) ?? [];
  const dark = style?.match(/prefers-color-scheme:\s*dark\)\s*\{\.coterie-figure\{([^}]*)\}/)?.[1];
  if (dark === undefined) throw new Error("the figure has no colours for light and dark in its style");
  const fixed = (name, colours) =>
    `<style>.coterie-figure{${colours.replace(/;?color-scheme:[^;]*/, "")};color-scheme:${name}}</style>`;
  return {
    light: svg.replace(style, () => fixed("light", light)),
    dark: svg.replace(style, () => fixed("dark", dark)),
  };
}
