import { ConfigError } from "@coterie/core";
import { readTable, type TableFormat, type TableRow } from "../reading/table.ts";
import type { Loader } from "./loader.ts";
import { Movies } from "./movies.ts";

const GENRE: TableFormat = { separator: "|", contents: "text", columns: ["genre", "index"], header: false };
const DATA: TableFormat = {
  separator: "\t",
  contents: "numbers",
  columns: ["user id", "item id", "rating", "timestamp"],
  header: false,
};
const BEFORE_FLAGS = ["movie id", "movie title", "release date", "video release date", "IMDb URL"];
const GENRE_COUNT = 19;

/** MovieLens 100k: no headers, Latin-1, a flag of 0 or 1 for each of 19 genres, no tags. */
export const movielens100k: Loader = {
  async files() {
    return ["u.genre", "u.item", "u.data"];
  },

  async load(directory) {
    const genres = await readGenres(directory);
    const item: TableFormat = {
      separator: "|",
      contents: "text",
      columns: [...BEFORE_FLAGS, ...genres],
      header: false,
    };
    const movies = new Movies("u.item");
    await readTable(directory, "u.item", item, (row) => {
      movies.addMovie(
        row,
        genres.filter((_, genre) => isSet(row, BEFORE_FLAGS.length + genre)),
      );
    });
    const ratings = await readTable(directory, "u.data", DATA, (row) => {
      movies.addRating(row, row.number(2, 1, 5), row.id(3));
    });
    return movies.finish(ratings);
  },
};

/** The names of the genres in the order of their flags. */
async function readGenres(directory: string): Promise<string[]> {
  const genres: string[] = [];
  await readTable(directory, "u.genre", GENRE, (row) => {
    if (row.id(1) !== genres.length) throw row.fault(1, `be ${genres.length}, counting from 0`);
    genres.push(row.text(0));
  });
  if (genres.length !== GENRE_COUNT)
    throw new ConfigError("u.genre number of rows", genres.length, `be ${GENRE_COUNT}`);
  return genres;
}

function isSet(row: TableRow, column: number): boolean {
  const flag = row.text(column);
  if (flag !== "0" && flag !== "1") throw row.fault(column, "be 0 or 1");
  return flag === "1";
}
