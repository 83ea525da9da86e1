// Started by refused.ts: runs the command lines it is sent, as built, one at a time, and sends back how each ended.
import { call } from "../../dist/call.js";

process.on("disconnect", () => process.exit());
process.on("message", async ({ args, env }) => {
  const said = { out: "", err: "" };
  const keep = (name) => (text) => {
    said[name] += text;
    return true;
  };
  process.stdout.write = keep("out");
  process.stderr.write = keep("err");
  process.exitCode = undefined;
  Object.assign(process.env, env);
  await call(args);
  for (const name of Object.keys(env)) delete process.env[name];
  process.send({ code: process.exitCode ?? 0, ...said });
});
