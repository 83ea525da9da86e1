import { sharedNumbers } from "../numbers/shared.ts";

/** Those of no use any more, whose room the next ones take. All are kept: they share buffers, which stay as long as any of them. */
const spare: GroupSums[] = [];

/**
 * The numbers of a group of several records (`Group`). Many groups are made and given up again in every round: to find memory for
 * their numbers took longer than to fill it.
 */
export class GroupSums {
  readonly slot: Float64Array;
  readonly centre: Float64Array;
  count = 0;
  weighted = 0;
  key = 0;
  value = 0;
  apart = Number.NaN;
  centred = false;

  private constructor(numbers: number, dimension: number) {
    this.slot = sharedNumbers(numbers);
    this.centre = sharedNumbers(dimension);
  }

  /** With any numbers in it but for the centre, which is 0. */
  static of(numbers: number, dimension: number): GroupSums {
    const last = spare.at(-1);
    if (last === undefined || last.slot.length !== numbers || last.centre.length !== dimension) {
      return new GroupSums(numbers, dimension);
    }
    spare.pop();
    last.centre.fill(0);
    return last;
  }

  release(): void {
    if (this.slot.length === 0) return;
    if (spare.length > 0 && spare[0]!.slot.length !== this.slot.length) spare.length = 0;
    spare.push(this);
  }

  takeNumbers({ count, weighted, key, value, apart, centred }: GroupSums): void {
    this.count = count;
    this.weighted = weighted;
    this.key = key;
    this.value = value;
    this.apart = apart;
    this.centred = centred;
  }
}
