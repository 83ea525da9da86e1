import type { Interactions } from "../interactions.ts";

/** Of each user, by item: the time; null where none are known. */
export const plainTimes = ({ usersItems, usersTimes }: Interactions) =>
  usersTimes &&
  Object.fromEntries(
    [...usersItems].map(([user, items]) => [
      user,
      Object.fromEntries([...items].map((item, k) => [item, usersTimes.get(user)![k]])),
    ]),
  );

/** Interactions as plain objects, for comparing. */
export const plain = ({ itemIds, words, usersItems }: Interactions) => ({
  itemIds,
  words: Object.fromEntries([...words].map(([item, counts]) => [item, Object.fromEntries(counts)])),
  users: Object.fromEntries([...usersItems].map(([user, items]) => [user, [...items]])),
});
