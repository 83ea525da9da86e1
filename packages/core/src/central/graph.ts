/** An undirected graph without loops, small enough for a table of its edges. */
export class Graph {
  /** Row-major size × size, symmetric. */
  readonly #edges: Uint8Array;

  constructor(readonly size: number) {
    this.#edges = new Uint8Array(size * size);
  }

  static complete(size: number): Graph {
    const graph = new Graph(size);
    graph.#edges.fill(1);
    for (let i = 0; i < size; i++) graph.#edges[i * size + i] = 0;
    return graph;
  }

  has(i: number, j: number): boolean {
    return this.#edges[i * this.size + j] === 1;
  }

  link(i: number, j: number): void {
    this.#edges[i * this.size + j] = 1;
    this.#edges[j * this.size + i] = 1;
  }

  cut(i: number, j: number): void {
    this.#edges[i * this.size + j] = 0;
    this.#edges[j * this.size + i] = 0;
  }

  /** The connected parts of `nodes` (ascending), each ascending, by their lowest node. No edge may lead out of `nodes`. */
  parts(nodes: readonly number[]): number[][] {
    const left = new Set(nodes);
    const parts: number[][] = [];
    for (const first of nodes) {
      if (!left.delete(first)) continue;
      const reached = [first];
      for (let k = 0; k < reached.length; k++) {
        for (const other of left) {
          if (!this.has(reached[k]!, other)) continue;
          left.delete(other);
          reached.push(other);
        }
      }
      parts.push(reached.sort((a, b) => a - b));
    }
    return parts;
  }
}
