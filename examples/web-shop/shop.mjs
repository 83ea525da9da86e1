// A small web shop whose front page is chosen by a peer. Branches that know one another learn together.
//   node examples/web-shop/shop.mjs [--port 8080] [--store DIR] [--bootstrap ADDRESS]
import { createServer } from "node:http";
import { parseArgs } from "node:util";
import { createPeer, folderStore, libp2p } from "@coterie/net";
import { features, itemsFor, products } from "./catalogue.mjs";

const SHOWN = 3;

/** Opens a branch: its peer and its pages. `network`, `store`, `tick` and `reward` go to the peer. */
export async function openShop({ port = 0, ...options }) {
  const peer = await createPeer({
    room: "web-shop",
    features,
    // What is shown and not bought within half an hour was worth nothing.
    reward: { range: [0, 1], timeoutMs: 30 * 60_000, fallback: 0 },
    ...options,
  });
  const server = createServer((request, response) => {
    answer(peer, request, response).catch((error) => {
      console.error(error);
      if (!response.headersSent) response.writeHead(500);
      response.end();
    });
  });
  await new Promise((resolve, reject) => server.once("error", reject).listen(port, "127.0.0.1", resolve));
  return {
    peer,
    url: `http://127.0.0.1:${server.address().port}`,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await peer.close();
    },
  };
}

async function answer(peer, request, response) {
  const { pathname, searchParams } = new URL(request.url, "http://shop");
  if (request.method === "GET" && pathname === "/") return frontPage(peer, request, response);
  if (request.method === "GET" && pathname.startsWith("/product/"))
    return productPage(pathname, searchParams, response);
  if (request.method === "POST" && pathname === "/buy") return buy(peer, searchParams, response);
  if (request.method === "POST" && pathname === "/left") return left(peer, searchParams, response);
  response.writeHead(404).end("There is nothing here.");
}

/** Choosing is synchronous and needs no network: a page never waits for it. */
function frontPage(peer, request, response) {
  const visitor = { last: /\blast=(\w+)/.exec(request.headers.cookie ?? "")?.[1] };
  const choices = peer.chooseTop(itemsFor(visitor), SHOWN);
  const offer = ({ id, item }) =>
    `<li><a href="/product/${item.id}?choice=${id}">${item.title}</a> for ${item.price}</li>`;
  html(response, "For you", `<ul>${choices.map(offer).join("")}</ul>`);
}

/** The choice travels through the pages as its id. */
function productPage(pathname, searchParams, response) {
  const product = products.find(({ id }) => pathname === `/product/${id}`);
  if (product === undefined) return response.writeHead(404).end("No such product.");
  const choice = encodeURIComponent(searchParams.get("choice") ?? "");
  response.setHeader("set-cookie", `last=${product.category}; Path=/; HttpOnly; SameSite=Lax`);
  html(
    response,
    product.title,
    `<form method="post" action="/buy?choice=${choice}"><button>Buy</button></form>${BACK}`,
  );
}

/** A sale is the reward. When the promise resolves it survives a crash; a button pressed twice counts once. */
async function buy(peer, searchParams, response) {
  await peer.reward(searchParams.get("choice") || "none", 1);
  html(response, "Thank you", BACK);
}

/** A page's beacon when its visitor goes: what was shown and not bought by then was worth nothing, and need not be waited for. */
async function left(peer, searchParams, response) {
  for (const choice of searchParams.getAll("choice")) await peer.reward(choice, 0);
  response.writeHead(204).end();
}

const BACK = '<p><a href="/">Back to the shop</a></p>';

const HEAD = `<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark"><link rel="icon" href="data:,">
<style>body { font: 1rem/1.6 system-ui, sans-serif; max-width: 36rem; margin: 2rem auto; padding: 0 1rem } button { font: inherit }</style>`;

function html(response, title, body) {
  const page = `<!doctype html><html lang="en"><head>${HEAD}<title>${title}</title></head><body><h1>${title}</h1>${body}</body></html>`;
  response.writeHead(200, { "content-type": "text/html; charset=utf-8" }).end(page);
}

if (process.argv[1] === import.meta.filename) {
  const options = {
    port: { type: "string" },
    store: { type: "string" },
    bootstrap: { type: "string", multiple: true },
  };
  const { port = "8080", store = "./web-shop", bootstrap = [] } = parseArgs({ options }).values;
  const network = libp2p({ bootstrap, roomKey: process.env.COTERIE_ROOM_KEY });
  const shop = await openShop({ port: Number(port), store: folderStore(store), network });
  console.log(`open at ${shop.url}; it knows ${shop.peer.state().own} visits`);
  process.once("SIGINT", () => shop.close());
}
