import { Random } from "@coterie/core";

const [ITEMS, MENU, NOISE, APART] = [200, 20, 0.3, 0.18];

/** Items with isotropic embeddings, and two tastes; what a turn offers and pays follows from its seed. */
export function worldOf(numbers) {
  const random = Random.seeded(numbers);
  const direction = () => {
    const x = random.normals(new Float64Array(numbers));
    const length = Math.hypot(...x);
    return Array.from(x, (value) => value / length);
  };
  const embeddings = Array.from({ length: ITEMS }, direction);
  const tastes = [direction(), direction()];
  const worth = (item, taste) => {
    const mean = embeddings[item].reduce((sum, value, i) => sum + value * tastes[taste][i], 0);
    return 0.5 + APART * Math.sqrt(numbers) * mean;
  };
  return {
    turn(seed, round, taste) {
      const drawn = Random.seeded(seed).fork("turn").fork(round);
      const places = Array.from({ length: MENU }, () => drawn.below(ITEMS));
      const noise = NOISE * drawn.normal();
      return {
        items: places.map((place) => ({ embedding: embeddings[place] })),
        pay: (index) => Math.min(1, Math.max(0, worth(places[index], taste) + noise)),
      };
    },
  };
}
