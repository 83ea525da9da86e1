/** A store for all tabs of a browser profile. */
export { shared } from "./shared.ts";
