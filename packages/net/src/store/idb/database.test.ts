import { afterEach, expect, it, vi } from "vitest";
import { StoreBusy } from "../errors.ts";
import { openDatabase } from "./database.ts";

afterEach(() => vi.unstubAllGlobals());

it("an old tab that does not let go: a typed error, and what is opened later is closed at once", async () => {
  // No browser's: there is one version of the database so far, and so nothing to convert.
  const close = vi.fn();
  const request = { result: { close }, onblocked: () => {}, onsuccess: () => {} };
  vi.stubGlobal("indexedDB", { open: () => request });
  const opened = openDatabase("news", "in a page");
  request.onblocked();
  await expect(opened).rejects.toThrow(StoreBusy);
  expect(close).not.toHaveBeenCalled();
  request.onsuccess();
  expect(close).toHaveBeenCalledOnce();
});
