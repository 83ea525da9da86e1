import { type Complain, type Field, Reader } from "../numbers/bytes.ts";
import { slotSize, triangleSize } from "../numbers/packed.ts";

/**
 * Reads a state in `from` coordinates of a span as one in `to`, more of them. What numbers are for, how many there are tells: a vector,
 * the basis of components, a packed matrix, or a slot. A new coordinate is as the last of the old ones, of which nothing was seen either.
 */
export class WideningReader extends Reader {
  constructor(
    bytes: Uint8Array,
    complain: Complain,
    readonly from: number,
    readonly to: number,
  ) {
    super(bytes, complain);
  }

  override f64s(field: Field, out: Float64Array): void {
    const { from, to } = this;
    if (out.length === slotSize(to)) {
      this.f64s(field, out.subarray(0, triangleSize(to)));
      this.f64s(field, out.subarray(triangleSize(to)));
    } else if (out.length === triangleSize(to)) {
      const filled = triangleSize(from);
      super.f64s(field, out, 0, filled);
      out.fill(0, filled);
      for (let i = from; i < to; i++) out[triangleSize(i + 1) - 1] = out[filled - 1]!;
    } else if (out.length >= to && out.length % to === 0) {
      for (let at = 0; at < out.length; at += to) {
        super.f64s(field, out, at, from);
        out.fill(out[at + from - 1]!, at + from, at + to);
      }
    } else super.f64s(field, out);
  }
}
