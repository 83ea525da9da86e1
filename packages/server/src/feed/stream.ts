import type { Recording } from "./recording.ts";

/** A reader that falls behind by this much is let go: it comes again and gets the past in one piece. */
const MOST_WAITING = 64 * 1024 * 1024;

/** The recording from its beginning and on as it grows, as the body of a response. */
export function feedStream(recording: Recording): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let stop = (): void => {};
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        const { past, stop: leave } = recording.follow((line) => {
          if ((controller.desiredSize ?? 0) < -MOST_WAITING) {
            leave();
            controller.close();
          } else controller.enqueue(encoder.encode(line));
        });
        stop = leave;
        controller.enqueue(encoder.encode(past.join("")));
      },
      cancel() {
        stop();
      },
    },
    { highWaterMark: 0, size: (chunk) => chunk.length },
  );
}
