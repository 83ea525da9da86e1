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
  const offers = [...page.matchAll(/href="(\/product\/(\w+)-\d\?choice=(\w+))">[^<]*<\/a> for (\d+)/g)];
  const liked = offers.find(([, , category, , price]) => buys({ category, price: Number(price) }, wanted));
  if (liked !== undefined) {
    await fetch(url + liked[1]);
    await fetch(`${url}/buy?choice=${liked[3]}`, { method: "POST" });
  }
  const rest = offers.filter((offer) => offer !== liked).map(([, , , choice]) => `choice=${choice}`);
  await fetch(`${url}/left?${rest.join("&")}`, { method: "POST" });
  return liked !== undefined;
}

/** Visitors come one after another, and the peer closes a round between them. */
async function sales(shop, visits) {
  let bought = 0;
  for (let k = 0; k < visits; k++) {
    if (await visit(shop)) bought += 1;
    await shop.peer.tick();
  }
  return bought;
}

const listen = ["/ip4/127.0.0.1/tcp/0"];
const room = libp2p({ listen, roomKey: "a secret of the shop's branches" });
let addresses = [];
const first = await openShop({
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
  network: libp2p({ listen, roomKey: "a secret of the shop's branches", bootstrap: addresses }),
});
// A new branch asks those who are there before it opens its doors.
await new Promise((resolve) => second.peer.on("exchange", ({ verdict }) => verdict === "mix" && resolve()));
console.log(`a second branch, opened later, sold in ${await sales(second, FEW)} of its first ${FEW}`);
await Promise.all([first.close(), second.close()]);
