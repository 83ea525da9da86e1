import { InvariantError } from "@coterie/core";
import { type NoiseInit, noise } from "@libp2p/noise";

type Encrypter = ReturnType<ReturnType<typeof noise>>;
type Secured = Parameters<Encrypter["secureInbound"]>[0];
/** What came in and was not decrypted yet. */
type Waiting = Exclude<Parameters<Secured["send"]>[0], Uint8Array>;

/**
 * Noise that hands each frame to its connection in one piece. libp2p's own hands over the length and the rest apart, and a WebSocket
 * sends each as a message of its own: twice as many for both sides. Over TCP each is a write of its own.
 */
export const wholeNoise =
  (init: NoiseInit = {}): ReturnType<typeof noise> =>
  (components) => {
    const encrypter = noise(init)(components);
    const [inbound, outbound] = [encrypter.secureInbound.bind(encrypter), encrypter.secureOutbound.bind(encrypter)];
    encrypter.secureInbound = async (connection, options) => patient(await inbound(whole(connection), options));
    encrypter.secureOutbound = async (connection, options) => patient(await outbound(whole(connection), options));
    return encrypter;
  };

function whole<T extends Secured>(connection: T): T {
  const send = connection.send.bind(connection);
  connection.send = (data) => send(data.subarray());
  return connection;
}

/** More than a frame can hold. */
const NOT_YET = 0x10000;

/** libp2p's own throws an error behind each frame, because the next has not come: to make one takes longer than to decrypt a short frame. */
function patient<T extends { readonly connection: object }>(secured: T): T {
  const { connection } = secured;
  if (!decodes(connection)) throw new InvariantError("noise decodes its frames elsewhere");
  const { decoder } = connection;
  const lengthOf = decoder.lengthDecoder;
  decoder.lengthDecoder = (data) => (data.length < 2 ? NOT_YET : lengthOf(data));
  return secured;
}

interface Decodes {
  readonly decoder: { lengthDecoder(data: Waiting | Uint8Array): number };
}

function decodes(connection: object): connection is Decodes {
  const { decoder } = connection as Partial<Decodes>;
  return typeof decoder?.lengthDecoder === "function";
}
