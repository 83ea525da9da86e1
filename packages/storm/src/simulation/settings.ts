import { dcb, dccb, kindred, type Policy } from "@coterie/core";
import type { StormSetting } from "./plan/plan.ts";

/** Nobody parts from anybody. */
const NEVER = { kind: "practical", factor: 1e6 } as const;

/** Slots count as they are (`mean`), so that what was promoted can be added up with what waits. */
export function policyOf({ policy, delay, bridge, sharing, clip, guard, forgive }: StormSetting): Policy {
  const shared = { delay: { rounds: delay }, weight: "mean", bridge, ...(clip ? { clip: 2 } : {}) } as const;
  switch (policy) {
    case "dcb":
      return dcb(shared);
    case "dccb":
      return dccb({ ...shared, sharing, threshold: NEVER });
    case "dccb-two":
      return dccb({
        ...shared,
        sharing,
        threshold: { kind: "practical", factor: 1 },
        ...(guard ? { guard } : {}),
        ...(forgive ? { forgive: 2 } : {}),
      });
    case "kindred":
      return kindred();
  }
}
