import type { Interactions } from "../interactions.ts";
import type { Loader } from "./loader.ts";
import { present } from "./present.ts";
import { loadTagged } from "./tagged.ts";

/** The same rows twice in the official archive, with finer dates in the first. */
const ASSIGNMENTS = ["user_taggedbookmarks-timestamps.dat", "user_taggedbookmarks.dat"] as const;
const TAGS = "tags.dat";

/**
 * HetRec 2011 Delicious: a user's items are the pages it bookmarked. Its timestamps are not read: in copies that were
 * put together from parts they are only an order.
 */
export const delicious: Loader = {
  async files(directory) {
    return [await assignmentsIn(directory), TAGS];
  },

  async load(directory): Promise<Interactions> {
    const interactions = await loadTagged({
      directory,
      tags: { file: TAGS, columns: ["id", "value"] },
      assignments: { file: await assignmentsIn(directory), columns: ["userID", "bookmarkID", "tagID"] },
    });
    let bookmarks = 0;
    const pages = new Set<number>();
    for (const items of interactions.usersItems.values()) {
      bookmarks += items.length;
      for (const item of items) pages.add(item);
    }
    return { ...interactions, counts: { ...interactions.counts, URLs: pages.size, bookmarks } };
  },
};

/** With neither there, the first is the one to miss. */
async function assignmentsIn(directory: string): Promise<string> {
  return (await present(directory, ASSIGNMENTS))[0] ?? ASSIGNMENTS[0];
}
