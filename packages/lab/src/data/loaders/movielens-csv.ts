import { readTable, type TableFormat } from "../reading/table.ts";
import type { Loader } from "./loader.ts";
import { Movies } from "./movies.ts";

const csv = (contents: TableFormat["contents"], columns: readonly string[], atLeast = 1): TableFormat => ({
  separator: ",",
  contents,
  columns,
  header: true,
  quoted: true,
  atLeast,
});

/** MovieLens since 2015 (latest-small, 25M): CSV in UTF-8, with genres and tags. */
export const movielensCsv: Loader = {
  async files() {
    return ["movies.csv", "tags.csv", "ratings.csv"];
  },

  async load(directory) {
    const movies = new Movies("movies.csv");
    await readTable(directory, "movies.csv", csv("text", ["movieId", "title", "genres"]), (row) => {
      movies.addMovie(row, row.text(2).split("|"));
    });
    const tags = await readTable(directory, "tags.csv", csv("text", ["userId", "movieId", "tag"], 0), (row) => {
      row.id(0);
      movies.addTag(row, row.text(2));
    });
    const ratings = await readTable(
      directory,
      "ratings.csv",
      { ...csv("numbers", ["userId", "movieId", "rating"]), optional: ["timestamp"] },
      (row) => {
        movies.addRating(row, row.number(2, 0.5, 5), row.hasOptional ? row.id(3) : undefined);
      },
    );
    return movies.finish(ratings, tags);
  },
};
