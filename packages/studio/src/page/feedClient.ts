import { FeedError, Lines, parseBeat, parseHeader } from "../feed/index.ts";
import { Timeline } from "../model/timeline.ts";
import { banner, beats, cursor, link, playing, timeline } from "./store.ts";

/** A piece of work on the page lasts no longer than this before the page gets its turn. */
const TURN_MS = 12;
const RETRY_FIRST_MS = 1000;
const RETRY_MOST_MS = 8000;
/** Past this many beats a page begins anew: the server keeps of the distant past only what lasts. */
const MOST_BEATS = 65_000;
/** The page is told of new beats no more often than this. */
const TELL_MS = 200;

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Reads a feed into a timeline, line by line. A line that cannot be used is counted and left out. */
class Intake {
  #timeline: Timeline | null = null;
  #bad = 0;
  #told = 0;
  #turn = performance.now();
  readonly #lines = new Lines();

  get length(): number {
    return this.#timeline?.length ?? 0;
  }

  async take(text: string): Promise<void> {
    for (const line of this.#lines.take(text)) await this.#line(line);
  }

  async end(): Promise<void> {
    for (const line of this.#lines.end()) await this.#line(line);
    this.#tell();
  }

  async #line(line: string): Promise<void> {
    if (this.#timeline === null) {
      this.#timeline = new Timeline(parseHeader(line));
      return;
    }
    try {
      const beat = parseBeat(line);
      await this.#breathe();
      if (beat.at < this.#timeline.live.at) throw new FeedError("malformed", "a beat goes back in time");
      this.#timeline.push(beat);
    } catch (error) {
      if (!(error instanceof FeedError)) throw error;
      this.#bad += 1;
      const lines = this.#bad === 1 ? "One line" : `${this.#bad} lines`;
      banner.value = `${lines} of the feed could not be read and ${this.#bad === 1 ? "was" : "were"} left out: ${error.message}.`;
    }
    await this.#breathe();
    if (performance.now() - this.#told > TELL_MS) {
      this.#tell();
      await this.#breathe();
    }
  }

  /** Gives the page its turn: a large beat is read, taken in and shown in one turn each. */
  async #breathe(): Promise<void> {
    if (performance.now() - this.#turn < TURN_MS) return;
    await pause(0);
    this.#turn = performance.now();
  }

  #tell(): void {
    if (this.#timeline === null) return;
    this.#told = performance.now();
    if (timeline.value !== this.#timeline) timeline.value = this.#timeline;
    beats.value += 1;
  }
}

async function read(
  body: ReadableStream<Uint8Array>,
  onText: () => void = () => {},
  mostBeats = Number.POSITIVE_INFINITY,
): Promise<"ended" | "full"> {
  const intake = new Intake();
  const decoder = new TextDecoder();
  const reader = body.getReader();
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    onText();
    await intake.take(decoder.decode(part.value, { stream: true }));
    if (mostBeats < intake.length) {
      await reader.cancel();
      return "full";
    }
  }
  await intake.end();
  return "ended";
}

/** Follows the server's feed, and comes back when it stops. */
export async function followFeed(url: string): Promise<void> {
  for (let wait = RETRY_FIRST_MS; ; wait = Math.min(RETRY_MOST_MS, wait * 2)) {
    try {
      const response = await fetch(url, { cache: "no-store" });
      if (!response.ok || response.body === null) throw new Error(`the server answered ${response.status}`);
      const heard = (): void => {
        wait = RETRY_FIRST_MS;
        if (link.value === "live") return;
        link.value = "live";
        if (banner.value?.startsWith(LOST)) banner.value = null;
      };
      const end = await read(response.body, heard, isRecording(response) ? undefined : MOST_BEATS);
      if (end === "full") continue;
      if (timeline.value?.header.source === "simulation" || isRecording(response)) {
        link.value = "ended";
        return;
      }
    } catch (error) {
      if (error instanceof FeedError) {
        link.value = "lost";
        banner.value = `${capital(error.message)}. The page shows nothing it does not understand.`;
        return;
      }
    }
    link.value = "lost";
    banner.value = `${LOST} What was seen so far stays; trying again every few seconds.`;
    await pause(wait);
  }
}

const LOST = "The feed stopped.";
const isRecording = (response: Response): boolean => response.headers.get("x-coterie-feed") === "recording";
const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** Shows a recording from a file of the reader's own. */
export async function openFile(file: File): Promise<void> {
  banner.value = null;
  cursor.value = null;
  playing.value = true;
  try {
    await read(file.stream());
    link.value = "ended";
  } catch (error) {
    banner.value = `${file.name} is no recording that this page reads: ${error instanceof Error ? error.message : error}.`;
  }
}
