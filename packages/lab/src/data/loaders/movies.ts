import { Collector, type Interactions } from "../interactions.ts";
import type { TableRow } from "../reading/table.ts";
import { wordsOf } from "../words.ts";
import { STRAY_SHARE, Strays } from "./strays.ts";

/** A rating from here on makes the movie one of the user's items. */
const LIKED = 4;

/** How the files say that a movie has no genre: a remark, not a genre, so that it makes no words. */
const NO_GENRE = new Set(["(no genres listed)", "unknown", ""]);

/** Gathers movies, then tags and ratings, whose rows begin with user and movie in every MovieLens format. */
export class Movies {
  readonly #collector = new Collector();
  readonly #movies = new Set<number>();
  readonly #raters = new Set<number>();
  readonly #strays: Strays;

  constructor(
    /** The file that lists the movies. */
    listing: string,
  ) {
    this.#strays = new Strays(listing, STRAY_SHARE);
  }

  /** A movie, its id in column 0. Each of its genres counts once. */
  addMovie(row: TableRow, genres: readonly string[]): void {
    const movie = row.id(0);
    if (this.#movies.has(movie)) throw row.fault(0, "be listed once");
    this.#movies.add(movie);
    for (const genre of new Set(genres)) {
      if (!NO_GENRE.has(genre)) this.#collector.addWords(movie, wordsOf(genre));
    }
  }

  addTag(row: TableRow, tag: string): void {
    this.#collector.addWords(this.#movieOf(row), wordsOf(tag));
  }

  /** A rating, at `time` (seconds since 1970) where the file says it. */
  addRating(row: TableRow, rating: number, time: number | undefined): void {
    const user = row.id(0);
    const movie = this.#movieOf(row);
    this.#raters.add(user);
    if (rating >= LIKED) this.#collector.addPair(user, movie, time);
  }

  finish(ratings: number, tags?: number): Interactions {
    const counts = { users: this.#raters.size, movies: this.#movies.size, ratings };
    return {
      ...this.#collector.finish(),
      counts: tags === undefined ? counts : { ...counts, "tag applications": tags },
      notes: this.#strays.notes(ratings + (tags ?? 0)),
    };
  }

  #movieOf(row: TableRow): number {
    const movie = row.id(1);
    if (!this.#movies.has(movie)) this.#strays.add(row, 1);
    return movie;
  }
}
