import { fields, join } from "../options.ts";
import { type ChoiceRule, parseChoice } from "./choice.ts";
import { parseRadius, type Radius } from "./radius.ts";

/** The options of a policy that has a ball and nothing else to set. */
export interface BallOptions {
  readonly radius: Radius;
  readonly choice: ChoiceRule;
}

export function parseBallOptions(field: string, value: unknown): BallOptions {
  const given = fields(field, value, ["radius", "choice"]);
  return {
    radius: parseRadius(join(field, "radius"), given.radius),
    choice: parseChoice(join(field, "choice"), given.choice),
  };
}
