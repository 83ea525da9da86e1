import { execFileSync } from "node:child_process";
import { closeSync, mkdirSync, openSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";

/** Room for a store and its log; little to fill. */
const SIZE = "24m";
const PIECE = new Uint8Array(65_536);

/** A disk of its own for one peer's store, in memory; null where this process may not mount one. */
export class SmallDisk {
  private constructor(readonly folder: string) {}

  static mount(folder: string): SmallDisk | null {
    mkdirSync(folder, { recursive: true });
    try {
      execFileSync("mount", ["-t", "tmpfs", "-o", `size=${SIZE}`, "coterie", folder], { stdio: "ignore" });
      return new SmallDisk(folder);
    } catch {
      return null;
    }
  }

  /** Not a byte is left. */
  fill(): void {
    const file = openSync(join(this.folder, "filler"), "a");
    try {
      for (let bytes = PIECE.length; bytes >= 1; ) {
        try {
          writeSync(file, PIECE, 0, bytes);
        } catch {
          bytes = Math.floor(bytes / 2);
        }
      }
    } finally {
      closeSync(file);
    }
  }

  free(): void {
    rmSync(join(this.folder, "filler"), { force: true });
  }

  unmount(): void {
    execFileSync("umount", ["-l", this.folder], { stdio: "ignore" });
  }
}
