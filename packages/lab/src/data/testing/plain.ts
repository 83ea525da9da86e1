import type { Interactions } from "../interactions.ts";

/** Interactions as plain objects, for comparing. */
export const plain = ({ itemIds, words, usersItems }: Interactions) => ({
  itemIds,
  words: Object.fromEntries([...words].map(([item, counts]) => [item, Object.fromEntries(counts)])),
  users: Object.fromEntries([...usersItems].map(([user, items]) => [user, [...items]])),
});
