/**
 * The log cannot tell what another policy would have earned: it never, or never knowingly, tried what that policy does.
 */
export class OverlapError extends Error {
  override readonly name = "OverlapError";
  constructor(
    /** The policy that was asked about. */
    readonly target: string,
    /** Choices that stand in the way, of how many. */
    readonly choices: number,
    readonly of: number,
    /** The option that makes logs which can tell. */
    readonly option: string,
    why: string,
  ) {
    super(`${target} cannot be evaluated with this log: ${why}`);
  }
}

/** Of an app in shadow mode the app knows the probabilities; of a peer's own choices the peer does. */
const optionFor = (target: string): string => (target === "shadow" ? "propensities" : "explore.floor");

export function unknownPropensities(target: string, of: number): OverlapError {
  const option = optionFor(target);
  const remedy =
    option === "propensities"
      ? "give the app's own propensities to watch()"
      : "set explore.floor above 0 (--explore-floor), and log anew";
  const why = `none of its ${of} choices has a propensity; ${remedy}`;
  return new OverlapError(target, of, of, option, why);
}

export function impossibleItems(target: string, choices: number, of: number): OverlapError {
  const option = optionFor(target);
  const why = `in ${choices} of ${of} choices it would choose an item with propensity 0; log with ${option} above 0 for every item`;
  return new OverlapError(target, choices, of, option, why);
}
