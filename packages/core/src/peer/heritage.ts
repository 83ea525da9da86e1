import { ConfigError } from "../errors.ts";
import { slotSize } from "../numbers/packed.ts";
import { whole } from "../options.ts";
import type { Heritage } from "./learner.ts";

/** The highest version a record may be renewed above: it leaves a million to be published. */
export const MOST_RENEWED = 0x7_fff0_0000;
/** Of counts and eras: what a record can hold, less some to go on from. */
const MOST = 0xffffff00;

/** Throws unless these numbers may be those of some observations: a peer that went on from others would spread them. */
export function checkHeritage(heritage: Heritage, dimension: number): Heritage {
  const { slot, squares, count, era, version } = heritage;
  whole("heritage.slot", slot.length, slotSize(dimension), slotSize(dimension));
  whole("heritage.count", count, 0, MOST);
  whole("heritage.era", era, 0, MOST);
  whole("heritage.version", version, 0, MOST_RENEWED);
  const finite = Number.isFinite(squares) && slot.every((value) => Number.isFinite(value));
  if (!finite || squares < 0) throw new ConfigError("heritage.sums", squares, "be those of observations");
  return heritage;
}
