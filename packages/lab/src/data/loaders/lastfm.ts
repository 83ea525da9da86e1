import type { Interactions } from "../interactions.ts";
import { readTable } from "../reading/table.ts";
import type { Loader } from "./loader.ts";
import { present } from "./present.ts";
import { loadTagged, tabbed } from "./tagged.ts";

const ASSIGNMENTS = "user_taggedartists.dat";
const TAGS = "tags.dat";
const ARTISTS = "artists.dat";

/**
 * HetRec 2011 Last.fm: a user's items are the artists it tagged, each from the day of its first tag on.
 * artists.dat gives nothing but the list of artists, so a copy without it can be read; its count is then unknown.
 */
export const lastfm: Loader = {
  async files(directory) {
    return [ASSIGNMENTS, TAGS, ...(await present(directory, [ARTISTS]))];
  },

  async load(directory): Promise<Interactions> {
    const artists = (await present(directory, [ARTISTS])).length > 0 ? await readArtists(directory) : undefined;
    const interactions = await loadTagged({
      directory,
      tags: { file: TAGS, columns: ["tagID", "tagValue"] },
      assignments: {
        file: ASSIGNMENTS,
        columns: ["userID", "artistID", "tagID"],
        date: ["day", "month", "year"],
      },
      listed: artists && { file: ARTISTS, ids: artists },
    });
    return { ...interactions, counts: { ...interactions.counts, ...(artists && { artists: artists.size }) } };
  },
};

async function readArtists(directory: string): Promise<Set<number>> {
  const ids = new Set<number>();
  await readTable(directory, ARTISTS, tabbed("text", ["id", "name"]), (row) => {
    const id = row.id(0);
    if (ids.has(id)) throw row.fault(0, "be listed once");
    ids.add(id);
  });
  return ids;
}
