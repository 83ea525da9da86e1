/** Takes the absent out of a partner map: whoever was to meet one meets that one's partner instead, or nobody. */
export function passOver(partners: Int32Array, present: (peer: number) => boolean): void {
  const before = new Int32Array(partners.length);
  partners.forEach((partner, peer) => {
    before[partner] = peer;
  });
  for (let peer = 0; peer < partners.length; peer++) {
    if (present(peer)) continue;
    const from = before[peer]!;
    const to = partners[peer]!;
    partners[from] = to;
    before[to] = from;
    partners[peer] = peer;
    before[peer] = peer;
  }
}
