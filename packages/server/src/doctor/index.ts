export { type DoctorOptions, doctor } from "./doctor.ts";
export type { Finding } from "./finding.ts";
