export const title = "Over HTTP";
export const intro = 'As `{ "error": … }` with a status of 4xx where the caller can mend it, 5xx where not.';
export const entries = [
  {
    says: [
      "content-type must be application/json, but is missing",
      "content-type must be application/json, but is {type}",
    ],
    cause: "A body was sent without saying that it is JSON.",
    remedy: "Add the header `content-type: application/json`.",
  },
  {
    says: [
      "the body must be JSON: {message}",
      "the body must be JSON: {error}",
      "the body must be UTF-8",
      "the body must have at most {MOST_BODY_BYTES} bytes, but has {size} or more",
    ],
    cause: "The body cannot be read.",
    remedy: "Send JSON in UTF-8 below that size; `/openapi.json` has the shape.",
  },
  {
    says: ["authorization must be Bearer and this server's token"],
    cause: "The server has a token, and the request bears none or another.",
    remedy: "Add the header `authorization: Bearer TOKEN`.",
  },
  {
    says: ["host must be localhost or an address, as in http://127.0.0.1"],
    cause: "A page from elsewhere, or a name that points to this machine, tried to speak to it.",
    remedy: "Use the address itself; behind a proxy set the token and let the proxy set the host.",
  },
  {
    says: ["the address that the demo printed has a token in it; this page was opened without"],
    cause: "Only who started the demo may do things to it.",
    remedy: "Open the whole address that `coterie demo` printed, with what stands behind `#`.",
  },
  {
    says: ["the hub is being opened", "the peer is being opened", "the peer is closed"],
    cause: "The process is starting or stopping.",
    remedy: "Ask again in a moment; `/health` says when it is ready.",
  },
  {
    says: [
      "the hub has no address for pages: it must listen on a WebSocket or announce one (wss)",
      'this hub is for other rooms, and the page\'s own is "{DECK_ROOM}"',
      "the room {DECK_ROOM} has a key here, and a page has none",
    ],
    cause: "The hub's page lets a tab join its own room, and this hub was not started for that.",
    remedy: "Start it with a `/ws` address, without `--room` or with that room, and without a room key.",
  },
  {
    says: ["token must not be combined with {id}"],
    cause: "A request names a choice or a slate twice: by its id at this peer, and by a token.",
    remedy: "Send one of the two; a token is good at every worker.",
  },
  {
    says: ["internal error; see the log"],
    cause: "A fault of the server. The details are not for whoever asks.",
    remedy: "Read its log.",
  },
];
