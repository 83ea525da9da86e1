export const title = "Hubs, peers and their addresses";
export const entries = [
  {
    says: ["{field} must be a multiaddr such as /ip4/127.0.0.1/tcp/4001"],
    cause: "Addresses of peers and hubs are multiaddrs, not URLs and not plain ports.",
    remedy: "Copy the address that the hub prints, or write it like the example.",
  },
  {
    says: ["{field} must end in /p2p/ and the hub's name"],
    cause:
      "What a hub tells another, or signs as a ticket, is believed because of its name, and the address does not give it.",
    remedy: "Take the whole address that the other hub prints when it is ready.",
  },
  {
    says: [
      "tickets must be left out in a room with a key, which needs none",
      "tickets must be left out where there are no hubs to give them",
    ],
    cause: "Tickets are what hubs give to those who want to come into an open room.",
    remedy: "Give `hubs` and no room key; or leave `tickets` out (docs/operate.md).",
  },
  {
    says: [
      "{field}[{k}] must be an encrypted one (wss) of a public host, or of this machine; or set insecure",
      "{field}[{k}] must be one of a WebSocket, such as /dns4/hub.example/tcp/443/wss",
    ],
    cause: "A page can dial nothing but WebSockets, and dials unencrypted or private ones only if the app says so.",
    remedy:
      "Give the hub's `/wss` address (docs/operate.md: a hub behind TLS), or set `insecure: true` in a network of your own.",
  },
  {
    says: ["--listen must be addresses that are free here ({why})"],
    cause: "Another process has the port, or the address is none of this machine.",
    remedy: "Stop the other process, or take another port (0: any free one); `coterie doctor --listen ADDR` tries it.",
  },
  {
    says: ["{field} must be HOST:PORT such as 127.0.0.1:8080 (port 0: any free one)"],
    cause: "The HTTP side's address is not a host and a port.",
    remedy: "Write it like the example; IPv6 in brackets, `[::1]:8080`.",
  },
  {
    says: [
      "{field} must be an address that nobody else listens on",
      "{field} must be an address that this user may listen on",
      "{field} must be an address of this machine",
      "{field} must be a host that can be found",
    ],
    cause: "The HTTP side cannot listen there.",
    remedy:
      "Take another port (0: any free one; those below 1024 are for root), and 127.0.0.1 or an address of this machine.",
  },
  {
    says: [
      "{field} must be a loopback address such as 127.0.0.1, unless there is a token (--token-file, or COTERIE_TOKEN)",
      "the token must be a text of at least 16 letters without spaces",
    ],
    cause:
      "Whoever reaches the HTTP side can choose and reward: beyond this machine it wants a token that cannot be guessed.",
    remedy: "Listen on 127.0.0.1, or make a token: `openssl rand -hex 16 > token`.",
  },
  {
    says: [
      "{field} must be a file with 64 hex digits",
      "{field} must be a file that can be read",
      "{field} must be a file that can be written",
    ],
    cause: "The hub keeps its key in this file; it is of another kind, or cannot be made.",
    remedy: "Name another file with `--key-file`, in a directory that can be written.",
  },
  {
    says: [
      "{field} must be a text of at least {SHORTEST_KEY} letters",
      "privateKey must be 32 bytes",
      "key must be of the kind Ed25519",
    ],
    cause: "A key is too short to be a secret, or of another kind. The key itself is never shown.",
    remedy: "Draw one at random: `openssl rand -hex 32`.",
  },
  {
    says: ["features must be an object: features by name", "{field} must be an object: features by name"],
    cause: "The file of `--features` is not a JSON object.",
    remedy: 'Write `{ "topic": { "kind": "oneHot", "values": [ … ] }, … }` (docs/operate.md).',
  },
  {
    says: ["{field} must be one of {KINDS}", "{field} must be JSON, or one of {KINDS}"],
    cause: "The policy is none that peers can run, or is neither a name nor JSON.",
    remedy: 'Take a name from the list, or `{"kind": …}` with its options, in single quotes for the shell.',
  },
  {
    says: [
      "--store must be a store that no other process has open",
      "STORE must be a store that no other process has open",
    ],
    cause: "A peer runs on this store already: a store is one peer's.",
    remedy: "Stop that one, or give this peer a directory of its own.",
  },
  {
    says: ["--store must be a peer's store ({message})", "STORE must be a peer's store ({message})"],
    cause: "The directory holds something else.",
    remedy: "Give the directory that a peer was started with, or an empty one for a new peer.",
  },
  {
    says: [
      "--store must be of a version that this program reads ({message})",
      "STORE must be of a version that this program reads ({message})",
    ],
    cause: "An earlier or a later version of the program wrote the store. Nothing was touched.",
    remedy:
      "An earlier one: `coterie upgrade STORE`. A later one: run that, or restore a backup that this one made (docs/operate.md).",
  },
  {
    says: ["FILE must be a new file"],
    cause: "A backup takes no other file's place.",
    remedy: "Name another file.",
  },
  {
    says: ["FILE must be a backup of a store", "{file} must be a backup of a store", "{file} must be a whole backup"],
    cause: "The file is none that `coterie backup` wrote, or it was changed or cut since.",
    remedy: "Take another copy of it, or an earlier backup.",
  },
  {
    says: ["STORE must be an empty or new folder: move the old store away first", "STORE must differ from FILE"],
    cause: "A backup is restored to a place of its own: what lies in the way is not overwritten.",
    remedy: "Move the old store away, and keep it until the peer runs again; never run both.",
  },
  {
    says: ["--store must be writable ({message})", "--store must be a directory that can be created ({message})"],
    cause: "This user may not write there, or a file stands in the way.",
    remedy: "Mend its permissions, or take another place; `coterie doctor --store DIR` tries it.",
  },
  {
    says: ["count must keep the demo below {MOST_PEERS} peers", "body.peer must be a peer of this demo"],
    cause: "The demo's page asked for more peers than one machine is asked to run, or for one that is not there.",
    remedy: "Take away some first; reload the page.",
  },
];
