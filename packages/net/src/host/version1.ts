import { type PeerConfig, Reader } from "@coterie/core";
import { type Heritage, slotSize } from "@coterie/core/internal";
import { AnsweredExchanges } from "../exchange/answered.ts";
import { complain } from "./complain.ts";

/**
 * What a kindred peer of version 1 has left, out of its snapshot: the last one whose learner had no heritage of its own.
 *
 *     u32 "CSNP" | u32 1 | text config | f64 round | f64 peers | u8 flags | d × f64 chosen
 *     slot, d(d+1)/2 + d × f64 | f64 count | f64 Σ r² | u32 bytes of its record | origin | varint version | …
 */
export function heritageOfVersion1(bytes: Uint8Array, { dimension }: PeerConfig): Left {
  const from = new Reader(bytes, complain);
  from.u32("magic");
  from.u32("version");
  from.text("config");
  const round = from.f64("round");
  const peers = from.f64("peers");
  from.u8("flags");
  from.f64s("chosen", new Float64Array(dimension));
  const slot = new Float64Array(slotSize(dimension));
  from.f64s("own", slot);
  const count = from.f64("own");
  const squares = from.f64("squares");
  return { round, peers, heritage: { slot, squares, count, era: 0, version: versionOf(from) } };
}

/** What is left of a peer whose learner wrote another layout. */
export interface Left {
  readonly round: number;
  readonly peers: number;
  readonly heritage: Heritage;
}

function versionOf(from: Reader): number {
  if (from.u32("record") === 0) return 0;
  from.name("record origin");
  return from.varint("record version");
}

/** Policies of version 1 that met nobody. */
const SOLITARY = /"kind":"(solo|random)"/;

/**
 * What a peer with this state wrote of its exchange, which follows in `saved`. How long it is is not said: it has to be gone
 * through. One of records has all that one of averages has, though nothing of it counts.
 */
export function exchangeOfVersion1(from: Reader, saved: Uint8Array, state: Uint8Array): Uint8Array {
  const of = new Reader(state, complain);
  of.u32("magic");
  of.u32("version");
  if (SOLITARY.test(of.text("config"))) return new Uint8Array();
  const before = from.left;
  skipExchange(from);
  return saved.slice(saved.length - before, saved.length - from.left);
}

function skipExchange(from: Reader): void {
  from.f64("exchange.massAtRisk");
  from.text("exchange.flight");
  from.text("exchange.partner");
  new AnsweredExchanges().read(from);
  from.u8("leaps.patience");
  from.u8("leaps.ahead");
  from.f64("leaps.spent");
  for (let left = from.u32("leaps.heard"); left > 0; left--) from.text("leaps.heard");
}
