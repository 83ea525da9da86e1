import { initialPeer, type Policy } from "@coterie/core";
import { type Identity, identityFrom } from "../identity/identity.ts";
import { relive } from "../node/journal.ts";
import { StoreError } from "../store/errors.ts";
import type { Entry, Recovered } from "../store/store.ts";
import { type Birth, BORN, birthOf } from "./birth.ts";
import type { Earlier, HostConfig } from "./config.ts";
import { FORMAT, FORMAT_ENTRY, type Format, formatOf, isCurrent, layoutOf, requireFormat } from "./format.ts";
import { annexOf, carried, freshSaved, readSaved, type Saved } from "./saved.ts";

/** What a store has, and who that is. */
export interface OpenedStore {
  readonly recovered: Recovered;
  readonly format: Format | null;
  /** False where nothing was ever written. */
  readonly known: boolean;
  readonly birth: Birth;
  readonly identity: Identity | null;
  /** Other terms that it was written under; null under ours. */
  readonly earlier: Earlier | null;
}

export async function startOf(config: HostConfig, recovered: Recovered): Promise<OpenedStore> {
  if (recovered.quarantined !== null) config.onRepaired?.(recovered.quarantined);
  const format = formatOf(recovered);
  const earlier = earlierOf(config, recovered, "store");
  if (format !== null) requireFormat(format, config.peer.policy);
  const known = birthOf(recovered);
  const secret = known?.key ?? config.drawSeed?.() ?? null;
  const identity = secret === null ? null : await identityFrom(secret, config.agreement);
  const birth = { id: known?.id ?? identity?.id ?? config.peer.id, key: identity?.key ?? null };
  return { recovered, format, known: known !== null, birth, identity, earlier };
}

export function savedOf(config: HostConfig, { recovered: { snapshot }, format, birth, earlier }: OpenedStore): Saved {
  const was = asWritten(config, earlier);
  const anew = earlier?.samePolicy === false;
  const load = (annex: Uint8Array, version: number): void => was.annex?.load(annex, version);
  if (snapshot !== null) return { ...readSaved(was, snapshot, load, anew), birth };
  return freshSaved(was, birth, anew || (format !== null && format.layout !== layoutOf(config.peer.policy)));
}

/** An owner that runs another version of the page writes entries that this one may misread. */
export function requireSame({ format, earlier }: OpenedStore, policy: Policy): void {
  if (format !== null && isCurrent(format, policy) && earlier === null) return;
  throw new StoreError(
    "version",
    "the tab that owns the store runs another version of this page: reload that tab, or close it",
  );
}

/** Lives through entries again, in `saved` and in what is kept beside it. */
export function reliveAll(config: HostConfig, saved: Saved, entries: readonly Entry[], earlier: Earlier | null): void {
  const { annex } = asWritten(config, earlier);
  for (const entry of entries) {
    if (entry.kind === BORN || entry.kind === FORMAT_ENTRY || annex?.relive(entry)) continue;
    // What others said then was in the words of another version; they say it again.
    if (saved.inherited && entry.kind.startsWith("exchange-")) continue;
    relive(entry, saved);
  }
}

/** A state to be adopted, and a way to take over what was kept beside it. */
export function readState(config: HostConfig, bytes: Uint8Array): { readonly saved: Saved; readonly load: () => void } {
  const earlier = earlierOf(config, { snapshot: bytes, entries: [] }, "import");
  const { annex } = asWritten(config, earlier);
  const version = formatOf({ snapshot: bytes, entries: [] })?.format ?? FORMAT;
  const saved = readSaved(asWritten(config, earlier), bytes, () => {}, earlier?.samePolicy === false);
  const load = (): void => {
    if (saved.annex !== null) annex?.load(saved.annex, version);
    earlier?.adopt();
  };
  return { saved: earlier === null ? saved : carried(config, saved, earlier), load };
}

/** Under which other terms a state was written; null under ours. */
function earlierOf(
  { annex, peer }: HostConfig,
  { snapshot, entries }: Pick<Recovered, "snapshot" | "entries">,
  field: "store" | "import",
): Earlier | null {
  const format = formatOf({ snapshot, entries });
  if (format === null || annex?.earlier === undefined) return null;
  // Of another policy another layout says nothing.
  if (format.format > FORMAT) requireFormat(format, peer.policy);
  const written = { annex: snapshot === null ? null : annexOf(snapshot), entries, format: format.format };
  const earlier = annex.earlier(written, field);
  // Where nothing outlives other terms, the terms that differ say more than a state that does not fit.
  if (earlier !== null && initialPeer(peer).learner.heritage === undefined) throw earlier.refusal();
  return earlier;
}

/** What reads a state as it was written. */
function asWritten(config: HostConfig, earlier: Earlier | null): HostConfig {
  if (earlier === null) return config;
  const { dimension, annex } = earlier;
  return { ...config, peer: { ...config.peer, dimension }, limits: { ...config.limits, dimension }, annex };
}
