import { anchors } from "../headings.mjs";
import { KINDS } from "./model.mjs";

const REFERENCE = 4194304;

/**
 * What goes where on the page of one package, and under which anchor. `modules` is what each of its entries exports. What
 * it only passes on from another of our packages is shown there: `passedOn`.
 */
export function planPackage({ name, first }, modules) {
  const nameFor = anchors();
  const plan = { name, anchors: new Map(), known: new Map(), headings: [], modules: [] };
  const heading = (level, text) => {
    const anchor = nameFor(text);
    plan.headings.push({ level, text, anchor });
    return anchor;
  };
  const before = (a, b) => Number(b.name === first) - Number(a.name === first);
  const isOurs = ({ sources }) => sources === undefined || sources[0].fileName.startsWith(`packages/${name}/`);
  for (const module of modules) {
    const anchor = modules.length > 1 ? heading(2, module.name) : null;
    const items = module.children.filter((item) => item.kind !== REFERENCE && isOurs(item));
    const passedOn = module.children.filter((item) => !items.includes(item));
    dropListComments(items);
    const groups = KINDS.map(([kind, title]) => ({
      title,
      items: items.filter((item) => item.kind === kind).sort(before),
    }));
    for (const { items: some } of groups) {
      for (const item of some) {
        item.anchor = heading(3, item.name);
        plan.known.set(item.id, item.anchor);
        if (!plan.anchors.has(item.name)) plan.anchors.set(item.name, item.anchor);
      }
    }
    plan.modules.push({
      name: module.name,
      anchor,
      groups: groups.filter(({ items: some }) => some.length > 0),
      passedOn,
    });
  }
  return plan;
}

/** A comment above `export { … } from` is about the list; TypeDoc gives it to everything in the list that has none. */
function dropListComments(items) {
  const times = new Map();
  const key = (item) => JSON.stringify(item.comment ?? item.signatures?.[0]?.comment ?? null);
  for (const item of items) times.set(key(item), (times.get(key(item)) ?? 0) + 1);
  for (const item of items) {
    if (times.get(key(item)) < 2) continue;
    delete item.comment;
    for (const signature of item.signatures ?? []) delete signature.comment;
  }
}
