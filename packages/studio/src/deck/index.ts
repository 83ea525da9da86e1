export * from "./cards.ts";
export * from "./taste.ts";
