import { StoreBusy, StoreError, type StoreFailure } from "../errors.ts";

/** The innermost error speaks of the disk; those around it only say that opening failed. */
function innermost(error: unknown): { readonly code: string; readonly message: string } {
  let found = error;
  while (found instanceof Error && found.cause instanceof Error) found = found.cause;
  if (!(found instanceof Error)) return { code: "", message: String(found) };
  return { code: "code" in found ? String(found.code) : "", message: found.message };
}

/** LevelDB, which keeps the lock, passes on the system's words and not its codes. */
const FULL = /ENOSPC|EDQUOT|EFBIG|no space left|quota exceeded|file too large/i;
const READ_ONLY = /EROFS|EACCES|EPERM|read-only file system|permission denied|operation not permitted/i;

/** What the disk refused, with the state as it was. */
export function refused(path: string, error: unknown): StoreError {
  if (error instanceof StoreError) return error;
  const { code, message } = innermost(error);
  if (code === "LEVEL_LOCKED") return new StoreBusy(path, { cause: error });
  const said = `${code} ${message}`;
  const reason: StoreFailure = FULL.test(said) ? "full" : READ_ONLY.test(said) ? "read-only" : "failed";
  const sentence = {
    full: `there is no space left for the store ${path}; nothing was changed`,
    "read-only": `the store ${path} cannot be written; nothing was changed`,
    failed: `the store ${path} failed`,
  }[reason];
  return new StoreError(reason, `${sentence} (${message})`, { cause: error });
}
