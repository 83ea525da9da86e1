import { noise } from "@libp2p/noise";

type Encrypter = ReturnType<ReturnType<typeof noise>>;
type Secured = Parameters<Encrypter["secureInbound"]>[0];

/**
 * Noise that hands each frame to its connection in one piece. libp2p's own hands over the length and the rest apart, and a WebSocket
 * sends each as a message of its own: twice as many for both sides.
 */
export const wholeNoise = (): ReturnType<typeof noise> => (components) => {
  const encrypter = noise()(components);
  const [inbound, outbound] = [encrypter.secureInbound.bind(encrypter), encrypter.secureOutbound.bind(encrypter)];
  encrypter.secureInbound = (connection, options) => inbound(whole(connection), options);
  encrypter.secureOutbound = (connection, options) => outbound(whole(connection), options);
  return encrypter;
};

function whole<T extends Secured>(connection: T): T {
  const send = connection.send.bind(connection);
  connection.send = (data) => send(data.subarray());
  return connection;
}
