// What the shop sells, and what the peer is told of it.
import { flag, number, oneHot } from "@coterie/net";

export const categories = ["books", "garden", "kitchen", "music"];

/** The dear ones first, as shops have it. */
const prices = {
  books: [150, 95, 60, 25, 14],
  garden: [180, 120, 80, 40, 19],
  kitchen: [200, 130, 75, 35, 12],
  music: [190, 110, 65, 30, 8],
};
export const products = categories.flatMap((category) =>
  prices[category].map((price, k) => ({ id: `${category}-${k}`, title: `${category}, no. ${k + 1}`, category, price })),
);

/** One peer serves all visitors of a shop; what makes a page personal is that some features speak of the visitor. */
export const features = {
  category: oneHot(categories),
  price: number(5, 200, { scale: "log" }),
  sameAsLast: flag(),
};

/** The products as this visitor sees them. More fields than the features name are fine. */
export const itemsFor = (visitor) =>
  products.map((product) => ({ ...product, sameAsLast: product.category === visitor.last }));
