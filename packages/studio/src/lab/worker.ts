/** Runs a setting beside the page, and tells how far it is some times a second. */
import { useKernels } from "@coterie/lab";
import { play } from "./play.ts";
import type { Setting } from "./setting.ts";

// The same bits, sooner; where WebAssembly is missing or forbidden core goes on alone.
useKernels();

addEventListener("message", ({ data }: MessageEvent<Setting>) => {
  play(data, (news) => postMessage(news));
});
