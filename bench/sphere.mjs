/** `count` unit vectors of `d` numbers, row by row. */
export function sphere(random, count, d) {
  const values = random.normals(new Float64Array(count * d));
  for (let k = 0; k < count; k++) {
    const row = values.subarray(k * d, (k + 1) * d);
    const norm = Math.hypot(...row);
    for (let i = 0; i < d; i++) row[i] /= norm;
  }
  return values;
}
