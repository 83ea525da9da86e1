// Packs the packages for another project, until they are on a registry:   npm run pack -- DIR
import { basename, resolve } from "node:path";
import { packAll, setOverrides } from "./packages.mjs";

const [folder, ...more] = process.argv.slice(2);
if (folder === undefined || more.length > 0) {
  console.error("name one folder for the packages: npm run pack -- DIR");
  process.exitCode = 2;
} else {
  const tarballs = await packAll(resolve(folder));
  const files = [...tarballs.values()].map((path) => basename(path));
  console.log(`${files.join("\n")}\n\nIn the other project, with all that one of them needs:`);
  // Without it npm warns on Node 20 of two packages that ask for a later one.
  console.log(setOverrides);
  const needed = ["@coterie/core", "@coterie/kernels", "@coterie/net"].map((name) => tarballs.get(name));
  console.log(`npm install ${needed.join(" ")}`);
  // All but WebRTC's, which only pages need, and whose own packages are hundreds.
  const forCommand = [...tarballs].filter(([name]) => name !== "@coterie/webrtc").map(([, path]) => path);
  console.log(`\nOr, with the command (npx coterie):\nnpm install ${forCommand.join(" ")}`);
}
