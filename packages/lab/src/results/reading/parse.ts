import { ConfigError, check } from "@coterie/core";
import type { Checkpoint, Manifest, Result, Row } from "../types.ts";

/** Manifests and results as they stand in files. Fields that a later version adds are let through. */

type Open = Readonly<Record<string, unknown>>;

function open(field: string, value: unknown): Open {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new ConfigError(field, value, "be an object");
  }
  return value as Open;
}

/** @param place names the file, and begins every complaint */
export function parseManifest(place: string, value: unknown): Manifest {
  const at = (name: string): string => `${place}: ${name}`;
  const manifest = open(place, value);
  if (manifest.format !== 1) throw new ConfigError(at("format"), manifest.format, "be 1, the format known here");
  const engine = open(at("engine"), manifest.engine);
  const shard = open(at("shard"), manifest.shard);
  for (const name of ["node", "platform", "arch"]) check.text(at(`engine.${name}`), engine[name]);
  for (const name of ["index", "of"]) check.whole(at(`shard.${name}`), shard[name], 0);
  for (const name of ["version", "created", "name"]) check.text(at(name), manifest[name]);
  check.whole(at("cells"), manifest.cells, 0);
  return value as Manifest;
}

/** @param place names file and line, and begins every complaint */
export function parseResult(place: string, value: unknown): Result {
  const result = open(place, value);
  check.whole(`${place}: cell`, result.cell, 0);
  checkRow(`${place}: row`, open(`${place}: row`, result.row) as Fields<Row>);
  const checkpoints = check.list(`${place}: checkpoints`, result.checkpoints);
  checkpoints.forEach((checkpoint, index) => {
    const field = `${place}: checkpoints[${index}]`;
    checkCheckpoint(field, open(field, checkpoint) as Fields<Checkpoint>);
  });
  return value as Result;
}

type Fields<T> = { readonly [name in keyof T]: unknown };

function checkRow(field: string, row: Fields<Row>): void {
  check.text(`${field}.world`, row.world);
  check.text(`${field}.policy`, row.policy);
  check.text(`${field}.kind`, row.kind);
  check.whole(`${field}.seed`, row.seed, 0);
  check.whole(`${field}.peers`, row.peers, 1);
  check.whole(`${field}.rounds`, row.rounds, 1);
  check.real(`${field}.reward`, row.reward);
  check.real(`${field}.exchanges`, row.exchanges);
  check.real(`${field}.secondsPerRun`, row.secondsPerRun);
  for (const name of ["rewardOverRandom", "regret", "sentBytes", "exactAtRound"] as const) {
    realOrNull(`${field}.${name}`, row[name]);
  }
  for (const name of ["rightShare", "newcomerRegret", "stuck"] as const) unlessAbsent(`${field}.${name}`, row[name]);
}

function checkCheckpoint(field: string, checkpoint: Fields<Checkpoint>): void {
  check.whole(`${field}.round`, checkpoint.round, 0);
  for (const name of ["reward", "rewardPerRound", "exchanges", "disagreement", "borrowed"] as const) {
    check.real(`${field}.${name}`, checkpoint[name]);
  }
  for (const name of [
    "rewardOverRandom",
    "regret",
    "regretPerRound",
    "sentBytes",
    "pairsRight",
    "pairsWrong",
  ] as const) {
    realOrNull(`${field}.${name}`, checkpoint[name]);
  }
  for (const name of ["found", "choices", "rightChoices", "newcomerRegret"] as const) {
    unlessAbsent(`${field}.${name}`, checkpoint[name]);
  }
}

/** Runs of earlier versions do not say. */
function unlessAbsent(field: string, value: unknown): void {
  if (value !== undefined) realOrNull(field, value);
}

function realOrNull(field: string, value: unknown): void {
  if (value !== null) check.real(field, value, "be a finite number or null");
}
