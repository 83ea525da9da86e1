import { count } from "../model/words.ts";
import { type HubGuest, looks, members } from "./watch.ts";

/** The hub hears only a digest of a room's name, unless it was told the name. */
const roomName = (name: string | null, digest: string): string => name ?? `${digest.slice(0, 12)}…`;

export function RoomTable() {
  const rooms = looks.value.at(-1)?.overview.rooms ?? [];
  return (
    <section class="panel" aria-labelledby="rooms">
      <header>
        <h2 id="rooms">Rooms</h2>
        <span class="quiet small">a hub knows names only of rooms it was told of (--room)</span>
      </header>
      <table class="answers" aria-label="Rooms">
        <thead>
          <tr>
            <th scope="col">Room</th>
            <th scope="col">Peers</th>
          </tr>
        </thead>
        <tbody>
          {rooms.map(({ name, digest, members: there }) => (
            <tr key={digest}>
              <th scope="row" title={digest}>
                {roomName(name, digest)}
              </th>
              <td>{there}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {rooms.length === 0 && <p class="quiet empty">Nobody is in a room yet.</p>}
    </section>
  );
}

/** How a peer says that it can be reached. */
function waysOf({ addresses }: HubGuest): string {
  const kinds = new Set(addresses.map(kindOf));
  return kinds.size === 0 ? "only dials" : [...kinds].join(", ");
}

function kindOf(address: string): string {
  if (address.includes("/webrtc")) return "tab to tab";
  if (address.includes("/p2p-circuit")) return "through a hub";
  return /\/wss?(\/|$)/.test(address) ? "WebSocket" : "TCP";
}

export function MemberTable() {
  const rooms = looks.value.at(-1)?.overview.rooms ?? [];
  const names = new Map(rooms.map(({ name, digest }) => [digest, roomName(name, digest)]));
  const list = members.value;
  return (
    <section class="panel table" aria-labelledby="members">
      <header>
        <h2 id="members">Peers</h2>
        <span class="quiet small number">{count(list.length, "peer")} shown</span>
      </header>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys */}
      <section class="scroll short" tabIndex={0} aria-label="Peers, a table that scrolls">
        <table aria-label="Peers">
          <thead>
            <tr>
              <th scope="col">Peer</th>
              <th scope="col">Room</th>
              <th scope="col">Reached</th>
              <th scope="col">Heard</th>
            </tr>
          </thead>
          <tbody>
            {list.map((member) => (
              <tr key={`${member.room} ${member.peer}`}>
                <th scope="row" class="id" title={member.peer}>
                  {member.peer}
                </th>
                <td>{names.get(member.room) ?? member.room.slice(0, 12)}</td>
                <td>{waysOf(member)}</td>
                <td>{Math.round(member.silentMs / 1000)} s ago</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </section>
  );
}
