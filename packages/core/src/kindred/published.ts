import type { PeerId } from "../gossip/neighbourhood.ts";
import type { Reader, Writer } from "../numbers/bytes.ts";
import type { KindredOptions } from "./options.ts";
import type { OwnSums } from "./own.ts";
import { type PeerRecord, publish } from "./record.ts";
import { readRecord, writeRecord } from "./recordState.ts";
import type { SeenSpan } from "./span.ts";

/** What a peer has published of itself. */
export class Published {
  record: PeerRecord | null = null;
  /** Versions up to this one may be out there without my knowing what they say. */
  #renewed = 0;

  constructor(
    readonly self: PeerId,
    readonly options: KindredOptions,
    readonly span: SeenSpan | null = null,
  ) {}

  /** The highest version that others may hold. */
  get version(): number {
    return Math.max(this.record?.version ?? 0, this.#renewed);
  }

  /** A new record where own sums have grown enough since the last. */
  update(own: OwnSums): void {
    const { count, era } = own;
    const published = this.record?.era === era ? this.record.count : 0;
    if (count - published < (this.options.batch ?? 0)) return;
    if (count === 0 || (published > 0 && count < published * this.options.growth)) return;
    this.record = this.#publish(this.version + 1, own);
  }

  /** What I have published, or may publish, goes out anew, so that it replaces whatever others hold of me. */
  renew(version: number, own: OwnSums): void {
    const { record } = this;
    const { count, era } = own;
    this.#renewed = Math.max(this.version, version);
    const since = record?.era === era ? count - record.count : count;
    if (count > 0 && since >= (this.options.batch ?? 0)) this.record = this.#publish(this.#renewed + 1, own);
    else if (record !== null) this.record = publish(this.self, this.#renewed + 1, record, record.era);
  }

  #publish(version: number, own: OwnSums): PeerRecord {
    return publish(this.self, version, this.span?.sumsOf(own) ?? own, own.era);
  }

  write(out: Writer): void {
    writeRecord(out, this.record);
    out.f64(this.#renewed);
  }

  read(from: Reader, dimension: number): void {
    this.record = readRecord(from, this.span?.whole ?? dimension);
    this.#renewed = from.f64("renewed");
  }
}
