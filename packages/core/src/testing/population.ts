// What is learnt of peers in general, written down and read again.
import { Population } from "../kindred/population.ts";
import { Reader, Writer } from "../numbers/bytes.ts";

export function stateOf(population: Population): Uint8Array {
  const out = new Writer();
  population.write(out);
  return out.bytes();
}

/** Another one that has read its state. */
export function copyOf(population: Population): Population {
  const copy = new Population(population.dimension);
  copy.read(new Reader(stateOf(population), (_reason, field) => new Error(field)));
  return copy;
}
