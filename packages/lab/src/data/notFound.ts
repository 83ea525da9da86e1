import { ConfigError } from "@coterie/core";

/** A dataset that is not on this machine. The message says what to do about it. */
export class DatasetNotFound extends ConfigError {
  constructor(dataset: string) {
    super("dataset", dataset, "be on this machine");
    this.message = `Dataset ${dataset} not found. Run \`coterie data fetch ${dataset}\`, or set COTERIE_DATA`;
  }
}
