import type { Ink } from "./ink.ts";
import { ALONE, markSvg } from "./looks.ts";
import type { NetworkView } from "./networkView.ts";

const escaped = (text: string): string =>
  text.replace(/[&<>"]/g, (sign) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[sign] ?? sign);

/** The network as it is shown, as a drawing that stands by itself. */
export function networkSvg(view: NetworkView, ink: Ink): string {
  const { picture } = view;
  if (picture === null) return "";
  const { width, height } = view.size;
  const { model, groups, looks, lines } = picture;
  const at = (value: number): string => value.toFixed(1);
  const ties: string[] = [];
  for (let k = 0; k < lines.length; k += 2) {
    const [a, b] = [view.place(lines[k]), view.place(lines[k + 1])];
    ties.push(`M${at(a.x)},${at(a.y)}L${at(b.x)},${at(b.y)}`);
  }
  const marks = model.peers.map(({ peer, name }) => {
    if (!model.isPresent(peer)) return "";
    const look = looks.get(groups.of[peer]) ?? ALONE;
    const { x, y } = view.place(peer);
    const fill = look.colour < 0 ? ink.muted : ink.series[look.colour];
    return `<path fill="${fill}" d="${markSvg(look.mark, x, y, view.radius)}"><title>${escaped(name)}</title></path>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">
<rect width="100%" height="100%" fill="${ink.paper}"/>
<path fill="none" stroke="${ink.line}" d="${ties.join("")}"/>
${marks.join("\n")}
</svg>
`;
}
