// Visitors come to a branch of the shop, then to a second one that opens later and learns from the first.
//   node examples/web-shop/visitors.mjs
import { libp2p } from "@coterie/net";
import { categories } from "./catalogue.mjs";
import { openShop } from "./shop.mjs";

const VISITS = 150;
const FEW = 25;

/** The same visitors in every run. */
let seed = 2016;
const random = () => {
  seed = (seed * 1103515245 + 12345) % 2147483648;
  return seed / 2147483648;
};

/** Most people buy what they came for, and rather what is cheap. */
const buys = ({ category, price }, wanted) => random() < (category === wanted ? 0.5 : 0.02) * (price < 50 ? 1 : 0.2);

/** One visit, over HTTP as a browser would make it; whether something was bought. */
async function visit({ url }) {
  const wanted = categories[Math.floor(random() * categories.length)];
  const page = await (await fetch(url, { headers: { cookie: `last=${wanted}` } })).text();
  const offers = page.matchAll(/href="(\/product\/(\w+)-\d\?choice=(\w+))">[^<]*<\/a> for (\d+)/g);
  for (const [, link, category, choice, price] of offers) {
    if (!buys({ category, price: Number(price) }, wanted)) continue;
    await fetch(url + link);
    await fetch(`${url}/buy?choice=${choice}`, { method: "POST" });
    return true;
  }
  return false;
}

async function sales(shop, visits) {
  let bought = 0;
  for (let k = 0; k < visits; k++) if (await visit(shop)) bought += 1;
  return bought;
}

// Visitors here make up their minds at once, so nobody waits for half an hour.
const quick = { tick: { periodMs: 50 }, reward: { range: [0, 1], timeoutMs: 100, fallback: 0 } };
const listen = ["/ip4/127.0.0.1/tcp/0"];
const room = libp2p({ listen, roomKey: "a secret of the shop's branches" });
let addresses = [];
const first = await openShop({
  ...quick,
  network: async (terms) => {
    const network = await room(terms);
    addresses = network.addresses();
    return network;
  },
});
const early = await sales(first, FEW);
await sales(first, VISITS);
const late = await sales(first, FEW);
console.log(`the first branch sold in ${early} of its first ${FEW} visits, and in ${late} of its last ${FEW}`);

const second = await openShop({
  ...quick,
  network: libp2p({ listen, roomKey: "a secret of the shop's branches", bootstrap: addresses }),
});
// A new branch asks those who are there before it opens its doors.
await new Promise((resolve) => second.peer.on("exchange", ({ verdict }) => verdict === "mix" && resolve()));
console.log(`a second branch, opened later, sold in ${await sales(second, FEW)} of its first ${FEW}`);
await Promise.all([first.close(), second.close()]);
