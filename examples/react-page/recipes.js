export const kinds = ["soup", "salad", "pasta", "curry"];

const names = {
  soup: ["Lentil soup", "Fish soup"],
  salad: ["Bean salad", "Chicken salad"],
  pasta: ["Pasta with greens", "Pasta with ham"],
  curry: ["Chickpea curry", "Lamb curry"],
};

export const recipes = kinds.flatMap((kind, k) =>
  names[kind].map((name, j) => ({ name, kind, minutes: 15 + 20 * k, vegetarian: j === 0 })),
);
