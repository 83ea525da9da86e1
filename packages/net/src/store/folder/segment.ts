import { constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";

/** Each write is on the disk when it returns: one call of the system in place of two. */
const SYNCED = constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC | (constants.O_DSYNC ?? constants.O_SYNC);

/** Room made ahead: for so many writes as long as this one, and how much at least and at most. */
const AHEAD = 8;
const LEAST_AHEAD = 16 * 1024;
const MOST_AHEAD = 256 * 1024;

/**
 * A file of the log while it is written. A synced write that makes the file longer has the system write its length too, which takes as long
 * again; so it grows by zeros for some writes at once, and those that follow lie within it. Zeros make no frame: where a crash leaves them,
 * readers pass over them as over a frame that was cut short.
 */
export class Segment {
  readonly #file: FileHandle;
  /** Where the next write goes, and where the zeros end. */
  #at = 0;
  #end = 0;
  #failed = false;

  private constructor(file: FileHandle) {
    this.#file = file;
  }

  static async open(path: string): Promise<Segment> {
    return new Segment(await open(path, SYNCED, 0o600));
  }

  /** In one call of the system, unless that takes only a part. */
  async write(pieces: readonly Uint8Array[]): Promise<void> {
    const length = pieces.reduce((sum, piece) => sum + piece.length, 0);
    const fits = this.#at + length <= this.#end;
    const all = fits ? pieces : [...pieces, zerosFor(length)];
    try {
      const { bytesWritten } = await this.#file.writev(all, this.#at);
      // Where there is no more space for zeros, what is to be kept may still fit.
      if (bytesWritten < length) await this.#rest(pieces, bytesWritten);
      this.#end = Math.max(this.#end, this.#at + Math.max(length, bytesWritten));
      this.#at += length;
    } catch (error) {
      this.#failed = true;
      throw error;
    }
  }

  async #rest(pieces: readonly Uint8Array[], written: number): Promise<void> {
    const bytes = Buffer.concat(pieces);
    for (let done = written; done < bytes.length; ) {
      const { bytesWritten } = await this.#file.write(bytes, done, bytes.length - done, this.#at + done);
      done += bytesWritten;
    }
  }

  /** Gives back what was made ahead, unless nobody knows what was written last. */
  async close(): Promise<void> {
    // A file that is too long is none the worse.
    if (!this.#failed && this.#at < this.#end) await this.#file.truncate(this.#at).catch(() => {});
    await this.#file.close();
  }
}

const zeros = new Uint8Array(MOST_AHEAD);

const zerosFor = (length: number): Uint8Array =>
  zeros.subarray(0, Math.max(LEAST_AHEAD, Math.min(MOST_AHEAD, AHEAD * length)));
