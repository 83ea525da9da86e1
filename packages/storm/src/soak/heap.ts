import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** Memory that this thread holds once all that can be thrown away is: the heap, and buffers outside of it. In bytes. */
export function heapMeter(): () => number {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  return () => {
    // Twice: what only waited to be finalised goes the second time.
    collect();
    collect();
    const { heapUsed, external } = process.memoryUsage();
    return heapUsed + external;
  };
}
