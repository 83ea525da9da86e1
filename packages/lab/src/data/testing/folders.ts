import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";

/** A directory of its own for the running test, with these files in it, gone afterwards. */
export async function folderWith(files: Readonly<Record<string, string | Uint8Array>> = {}): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "coterie-data-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await addFiles(folder, files);
  return folder;
}

export async function addFiles(folder: string, files: Readonly<Record<string, string | Uint8Array>>): Promise<void> {
  for (const [name, contents] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), contents);
  }
}
