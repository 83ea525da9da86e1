import { normalReach, studentReach } from "@coterie/core/internal";

/** The 97.5 % points of Student's t with 1 to 4 degrees of freedom; core's expansion is good from 5 on. */
const FEW = [12.7062, 4.3027, 3.1824, 2.7764];
const Z = normalReach(0.95);

/** The 97.5 % point of Student's t, right to 0.003. */
export const studentPoint = (freedom: number): number => FEW[freedom - 1] ?? studentReach(Z, freedom);
