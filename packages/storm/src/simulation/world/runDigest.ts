/** A digest of everything that happened, in order: two runs with the same one were the same run. */
export class RunDigest {
  #low = 0x811c9dc5;
  #high = 0x9e3779b9;
  events = 0;

  add(kind: string, peer: number, figure: number): void {
    this.events += 1;
    for (let i = 0; i < kind.length; i++) this.#mix(kind.charCodeAt(i));
    this.#mix(peer + 1);
    const whole = figure | 0;
    this.#mix(whole);
    this.#mix(figure === whole ? 0 : Math.floor((figure % 1) * 0x7fffffff));
  }

  bytes(kind: string, peer: number, bytes: Uint8Array): void {
    this.add(kind, peer, bytes.length);
    for (let i = 0; i < bytes.length; i += 7) this.#mix(bytes[i]!);
  }

  get hash(): string {
    return hex(this.#high) + hex(this.#low);
  }

  #mix(word: number): void {
    this.#low = Math.imul(this.#low ^ word, 0x01000193);
    this.#high = Math.imul(this.#high ^ (this.#low >>> 11), 0x85ebca6b) + 0x27d4eb2f;
    this.#low ^= this.#high >>> 15;
  }
}

const hex = (word: number): string => (word >>> 0).toString(16).padStart(8, "0");
