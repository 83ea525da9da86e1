import { closeSync, constants, fdatasyncSync, openSync, statSync, unlinkSync, writeSync } from "node:fs";

/**
 * A file of one record that says how far the log had come. LevelDB drops the end of its log in silence when a byte in
 * it has turned, and no chain shows that its own end is gone; this does.
 *
 * It is written behind each synced batch and not synced itself: an older witness is still true, only weaker. For the
 * same reason a failure to write it is no failure of the append.
 */
export class Witness {
  readonly #handle: number | null;

  constructor(file: string) {
    // A pipe that nobody reads would take some writes, and then hold up the peer.
    quietly(() => !statSync(file).isFile() && unlinkSync(file));
    this.#handle = quietly(() => openSync(file, constants.O_RDWR | constants.O_CREAT, 0o600)) ?? null;
  }

  /** In place, and in the same turn: the file never grows, so this is a copy into the system's cache. */
  note(record: Uint8Array): void {
    const handle = this.#handle;
    if (handle !== null) quietly(() => writeSync(handle, record, 0, record.length, 0));
  }

  close(): void {
    const handle = this.#handle;
    if (handle === null) return;
    quietly(() => fdatasyncSync(handle));
    quietly(() => closeSync(handle));
  }
}

function quietly<T>(attempt: () => T): T | undefined {
  try {
    return attempt();
  } catch {
    return undefined;
  }
}
