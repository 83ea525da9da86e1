import { type PeerId, ProtocolViolation, type Reader, Writer } from "@coterie/core";
import { reader, readNews, writeNews } from "../membership/codec.ts";
import type { News } from "../membership/entry.ts";
import { TRADED_AT_ONCE } from "./limits.ts";
import type { Place } from "./roster.ts";

/** What one hub tells another of a guest: what it said about itself last, or that it is gone. */
export interface Notice {
  readonly place: Place;
  readonly peer: PeerId;
  readonly news: News | null;
}

/**
 * Notices as bytes, between hubs that name each other.
 *
 *     notices: places count u8 | per place: room, text | fit, text
 *              count u8 | per notice: place u8 | here u8 | news of one, or the peer's name, text
 *     text:    length u8 | bytes
 */
export function encodeNotices(notices: readonly Notice[]): Uint8Array {
  const out = new Writer();
  const keyOf = ({ room, fit }: Place): string => `${room} ${fit}`;
  const places = new Map(notices.map(({ place }) => [keyOf(place), place]));
  const index = new Map(Array.from(places.keys(), (key, k) => [key, k]));
  out.u8(places.size);
  for (const { room, fit } of places.values()) for (const text of [room, fit]) writeText(out, text);
  out.u8(notices.length);
  for (const { place, peer, news } of notices) {
    out.u8(index.get(keyOf(place))!);
    out.u8(news === null ? 0 : 1);
    if (news === null) writeText(out, peer);
    else writeNews(out, [news]);
  }
  return out.bytes();
}

export function decodeNotices(bytes: Uint8Array): Notice[] {
  const from = reader(bytes);
  const places = Array.from({ length: atMost(from.u8("places"), "places") }, (): Place => {
    const room = readText(from, "place.room");
    return { room, fit: readText(from, "place.fit") };
  });
  const notices = Array.from({ length: atMost(from.u8("notices"), "notices") }, () => readNotice(from, places));
  from.end("notices");
  return notices;
}

function readNotice(from: Reader, places: readonly Place[]): Notice {
  const at = from.u8("notice.place");
  const place = places[at];
  if (place === undefined) {
    throw new ProtocolViolation("out-of-range", "notice.place", at, `be below ${places.length}`);
  }
  if (from.u8("notice.here") === 0) return { place, peer: readText(from, "notice.peer"), news: null };
  const [news] = readNews(from);
  if (news === undefined) throw new ProtocolViolation("out-of-range", "notice.news", 0, "be 1");
  return { place, peer: news.entry.claim.id, news };
}

function atMost(count: number, field: string): number {
  if (count <= TRADED_AT_ONCE) return count;
  throw new ProtocolViolation("out-of-range", field, count, `be at most ${TRADED_AT_ONCE}`);
}

const utf8 = { in: new TextEncoder(), out: new TextDecoder() };

function writeText(out: Writer, text: string): void {
  const bytes = utf8.in.encode(text);
  out.u8(bytes.length);
  out.raw(bytes);
}

const readText = (from: Reader, field: string): string => utf8.out.decode(from.view(field, from.u8(field)));
