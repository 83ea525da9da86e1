/** What the newspaper has today. More fields than the features name are fine. */
export const topics = ["sport", "arts", "tech", "travel"] as const;

const titles = {
  sport: ["Cup final goes to penalties", "A rower crosses the lake twice", "The coach who never shouts"],
  arts: ["The painter of small rooms", "An opera in a tram depot", "Lost sketches found in a piano"],
  tech: ["A faster way to sort", "Radios that mend themselves", "The chip that sleeps all day"],
  travel: ["By night train to the coast", "Seven huts above the clouds", "A village with one road"],
};

export const stories = topics.flatMap((topic) =>
  titles[topic].map((title, k) => ({ title, topic, words: 400 + 700 * k, fresh: k === 0 })),
);
