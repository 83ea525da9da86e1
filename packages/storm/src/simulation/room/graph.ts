/** The size of the largest part of a directed graph in which everybody reaches everybody. `edges[i]`: whom i knows. */
export function largestStrongPart(edges: readonly (readonly number[])[]): number {
  const count = edges.length;
  const index = new Int32Array(count).fill(-1);
  const low = new Int32Array(count);
  const onStack = new Uint8Array(count);
  const at = new Int32Array(count);
  const stack: number[] = [];
  let [next, largest] = [0, 0];
  // Tarjan's algorithm, without recursion: a room is deeper than a call stack.
  for (let root = 0; root < count; root++) {
    if (index[root] !== -1) continue;
    const path = [root];
    while (path.length > 0) {
      const node = path.at(-1)!;
      if (at[node] === 0 && index[node] === -1) {
        index[node] = low[node] = next++;
        stack.push(node);
        onStack[node] = 1;
      }
      const to = edges[node]![at[node]!];
      if (to !== undefined) {
        at[node]! += 1;
        if (index[to] === -1) path.push(to);
        else if (onStack[to] === 1) low[node] = Math.min(low[node]!, index[to]!);
        continue;
      }
      path.pop();
      const parent = path.at(-1);
      if (parent !== undefined) low[parent] = Math.min(low[parent]!, low[node]!);
      if (low[node] !== index[node]) continue;
      let size = 0;
      for (let member = -1; member !== node; size++) {
        member = stack.pop()!;
        onStack[member] = 0;
      }
      largest = Math.max(largest, size);
    }
  }
  return largest;
}
