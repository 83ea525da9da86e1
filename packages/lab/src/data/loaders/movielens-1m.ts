import { readTable, type TableFormat } from "../reading/table.ts";
import type { Loader } from "./loader.ts";
import { Movies } from "./movies.ts";

const colons = (contents: TableFormat["contents"], columns: readonly string[]): TableFormat => ({
  separator: "::",
  contents,
  columns,
  header: false,
});

/** MovieLens 1M: fields between double colons, no header, Latin-1, genres but no tags. */
export const movielens1m: Loader = {
  async files() {
    return ["movies.dat", "ratings.dat"];
  },

  async load(directory) {
    const movies = new Movies("movies.dat");
    await readTable(directory, "movies.dat", colons("text", ["MovieID", "Title", "Genres"]), (row) => {
      movies.addMovie(row, row.text(2).split("|"));
    });
    const columns = ["UserID", "MovieID", "Rating", "Timestamp"];
    const ratings = await readTable(directory, "ratings.dat", colons("numbers", columns), (row) => {
      movies.addRating(row, row.number(2, 1, 5), row.id(3));
    });
    return movies.finish(ratings);
  },
};
