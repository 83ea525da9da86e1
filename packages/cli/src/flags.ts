import { ConfigError, check } from "@coterie/core";

/** Flags that several commands have. */

export const text = <const P extends string>(placeholder: P, brief: string) =>
  ({ kind: "parsed", parse: String, brief, placeholder }) as const;

export const optionalText = <const P extends string>(placeholder: P, brief: string) =>
  ({ ...text(placeholder, brief), optional: true }) as const;

/** May be given more than once. */
export const several = <const P extends string>(placeholder: P, brief: string) =>
  ({ ...text(placeholder, brief), variadic: true, optional: true }) as const;

export const yes = (brief: string) => ({ kind: "boolean", default: false, withNegated: false, brief }) as const;

export const whole = (name: string, least: number, most: number, brief: string, preset: string) =>
  ({
    kind: "parsed",
    parse: (text: string): number => check.whole(name, /^\d+$/.test(text) ? Number(text) : text, least, most),
    default: preset,
    brief,
    placeholder: "N",
  }) as const;

export const optionalWhole = (name: string, placeholder: string, brief: string, least: number, most: number) =>
  ({
    kind: "parsed",
    parse: (given: string) => check.whole(name, /^\d+$/.test(given) ? Number(given) : given, least, most),
    optional: true,
    brief,
    placeholder,
  }) as const;

export const optionalReal = (name: string, placeholder: string, brief: string) =>
  ({ kind: "parsed", parse: (given: string) => real(name, given), optional: true, brief, placeholder }) as const;

export function real(name: string, given: string): number {
  if (given.trim() === "" || !Number.isFinite(Number(given))) throw new ConfigError(name, given, "be a finite number");
  return Number(given);
}

/** From 0 to below 1. */
export const share = (name: string, brief: string, preset: string) =>
  ({
    kind: "parsed",
    parse: (given: string): number => {
      const value = real(name, given);
      if (value < 0 || value >= 1) throw new ConfigError(name, value, "be at least 0 and below 1");
      return value;
    },
    default: preset,
    brief,
    placeholder: "RATE",
  }) as const;
