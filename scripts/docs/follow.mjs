// Follows the README, get-started and the guides to the letter, each in a fresh clone with only Node: nothing is installed
// or built before its own first command.
//   node scripts/docs/follow.mjs [part of a page's name]
//   node scripts/docs/follow.mjs --installed …     in clones that borrow this checkout's installation and build
import { follow, pages } from "./pages.mjs";

const [installed, ...rest] =
  process.argv[2] === "--installed" ? [true, ...process.argv.slice(3)] : [false, ...process.argv.slice(2)];
const wanted = pages().filter(({ name }) => name.includes(rest[0] ?? ""));
let failed = 0;
for (const page of wanted) {
  const { code, out, seconds, commands } = await follow(page, { installed, mostMs: 15 * 60_000 });
  console.log(`${code === 0 ? "ok    " : "FAILED"} ${page.name}: ${commands} blocks, ${seconds} s`);
  if (code !== 0) {
    failed += 1;
    console.log(out.split("\n").slice(-40).join("\n"));
  }
}
process.exitCode = failed === 0 && wanted.length > 0 ? 0 : 1;
