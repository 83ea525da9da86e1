/** Sets a key anew, so that the first of the map is the one set longest ago; where there are more than `most`, that one goes. */
export function keepNewest<K, V>(map: Map<K, V>, key: K, value: V, most: number): V {
  map.delete(key);
  map.set(key, value);
  if (map.size > most) map.delete(map.keys().next().value!);
  return value;
}
