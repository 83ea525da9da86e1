import { answer, documentOf, type OpenApi, refusals } from "../http/openApi.ts";
import { counts, list, object, orNull, ref, text, whole } from "../http/schema.ts";

/** The hub's own routes as a document; pages that are mounted beside them are for people. */
export function hubOpenApi(withToken: boolean): OpenApi {
  return documentOf({
    title: "Coterie hub",
    description: "A meeting point of peers: who is there, and how much.",
    paths: {
      "/rooms": {
        get: {
          operationId: "rooms",
          summary: "Rooms and what the hub does for them",
          responses: { ...answer("Now.", ref("Overview")), ...refusals(401, 503) },
        },
      },
      "/members": {
        get: {
          operationId: "members",
          summary: "Peers that told the hub about themselves lately, the first thousand of them",
          responses: { ...answer("Now.", ref("Members")), ...refusals(401, 503) },
        },
      },
    },
    schemas: { Overview: OVERVIEW, Members: MEMBERS },
    withToken,
  });
}

const MEMBERS = object({
  members: list(
    object({
      peer: text("Its name."),
      room: text("The digest of its room's name."),
      addresses: list(text(), "Where it says that it can be reached."),
      silentMs: whole("Since it last told about itself."),
    }),
  ),
});

const OVERVIEW = object({
  self: text("The hub's name."),
  addresses: list(text(), "Where peers find it: their bootstrap addresses."),
  rooms: list(
    object({
      name: orNull(text("Null where the hub was not told: from peers it hears only the digest.")),
      digest: text("SHA-256 of the room's name, with a prefix, as hex."),
      members: whole(),
    }),
    "Rooms that somebody is in now.",
  ),
  members: whole("Of all rooms together."),
  traded: whole("Peers that other hubs told it of."),
  hubs: whole("Other hubs that tell it of their peers."),
  connections: whole(),
  reservations: whole("Peers that can be reached through the hub."),
  circuits: whole("Connections that go through it now."),
  relayedBytes: whole(),
  introductions: whole("Answers to peers that look for others."),
  violations: counts("What peers did that no correct peer does, by cause."),
  overloads: counts("How often somebody was refused because a limit was reached, by limit."),
});
