import { mean, table, whole } from "./text.mjs";

/** Of every policy the measures of each seed. */
export function keepRows({ rows }) {
  return rows.map(({ policy, seed, regret, reward, sentBytes }) => ({ policy, seed, regret, reward, sentBytes }));
}

export function batchTable(rows) {
  const policies = [...new Set(rows.map(({ policy }) => policy))];
  const row = (name) => {
    const of = rows.filter(({ policy }) => policy === name);
    const average = (field) => mean(of.map((one) => one[field]));
    const regrets = of.map(({ regret }) => regret);
    const spread = `${whole(Math.min(...regrets))} to ${whole(Math.max(...regrets))}`;
    return [name, whole(average("regret")), spread, whole(average("reward")), bytes(average("sentBytes"))];
  };
  return table([["", "regret", "of single seeds", "reward", "bytes sent"], ...policies.map(row)]);
}

const bytes = (count) =>
  count === 0 ? "0" : count < 1e6 ? `${whole(count / 1e3)} kB` : `${(count / 1e6).toFixed(1)} MB`;
