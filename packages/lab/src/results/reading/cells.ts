import type { Result } from "../types.ts";

/** A cell of the experiment that has no result. */
export interface MissingCell {
  readonly cell: number;
  readonly world: string | null;
  readonly policy: string | null;
  readonly seed: number | null;
}

/** The experiment's own entries behind a cell, as they stand in the file. */
export interface CellEntries {
  readonly world: unknown;
  readonly policy: unknown;
  readonly seed: unknown;
}

interface Sides {
  readonly worlds: readonly unknown[];
  readonly policies: readonly unknown[];
  readonly seeds: readonly unknown[];
  /** Which policies run in which world, by position. */
  readonly pairs: readonly (readonly [world: number, policy: number])[];
  /** Seeds of each pair; known from the number of cells even where the list is not. */
  readonly perPair: number;
}

const listIn = (value: unknown, name: string): readonly unknown[] => {
  const found = typeof value === "object" && value !== null ? (value as Record<string, unknown>)[name] : undefined;
  return Array.isArray(found) ? found : [];
};

/** Null where the experiment is not made of worlds and policies that fill the cells. */
function sidesOf(experiment: unknown, cells: number): Sides | null {
  const [worlds, policies] = [listIn(experiment, "worlds"), listIn(experiment, "policies")];
  const pairs = worlds.flatMap((world, w) => {
    const named = listIn(world, "policies");
    const runs = (policy: unknown): boolean => named.length === 0 || named.includes(ownName(policy));
    return policies.flatMap((policy, p) => (runs(policy) ? [[w, p] as const] : []));
  });
  const perPair = cells / pairs.length;
  if (!Number.isInteger(perPair) || perPair < 1) return null;
  return { worlds, policies, seeds: listIn(experiment, "seeds"), pairs, perPair };
}

/** cell = pair · seeds + seed, pairs in the order of worlds and within one of policies. */
function placeOf(sides: Sides, cell: number): readonly [world: number, policy: number, seed: number] {
  const [world, policy] = sides.pairs[Math.floor(cell / sides.perPair)]!;
  return [world, policy, cell % sides.perPair];
}

export function cellEntries(experiment: unknown, cells: number, cell: number): CellEntries {
  const sides = sidesOf(experiment, cells);
  if (sides === null) return { world: undefined, policy: undefined, seed: undefined };
  const [world, policy, seed] = placeOf(sides, cell);
  return { world: sides.worlds[world], policy: sides.policies[policy], seed: sides.seeds[seed] };
}

/** Which cells have no result, named as their finished neighbours are. */
export function missingCells(experiment: unknown, cells: number, results: readonly Result[]): MissingCell[] {
  const done = new Set(results.map(({ cell }) => cell));
  if (done.size === cells) return [];
  const sides = sidesOf(experiment, cells);
  const names: [Map<number, string>, Map<number, string>, Map<number, number>] = [new Map(), new Map(), new Map()];
  for (const { cell, row } of sides === null ? [] : results) {
    const [world, policy, seed] = placeOf(sides!, cell);
    names[0].set(world, row.world);
    names[1].set(policy, row.policy);
    names[2].set(seed, row.seed);
  }
  const missing: MissingCell[] = [];
  for (let cell = 0; cell < cells; cell++) {
    if (done.has(cell)) continue;
    if (sides === null) {
      missing.push({ cell, world: null, policy: null, seed: null });
      continue;
    }
    const [world, policy, seed] = placeOf(sides, cell);
    missing.push({
      cell,
      world: names[0].get(world) ?? ownName(sides.worlds[world]),
      policy: names[1].get(policy) ?? ownName(sides.policies[policy]),
      seed: names[2].get(seed) ?? ownNumber(sides.seeds[seed]),
    });
  }
  return missing;
}

function ownName(entry: unknown): string | null {
  if (typeof entry !== "object" || entry === null) return null;
  const { name, kind } = entry as Record<string, unknown>;
  return typeof name === "string" ? name : typeof kind === "string" ? kind : null;
}

const ownNumber = (entry: unknown): number | null => (typeof entry === "number" ? entry : null);
