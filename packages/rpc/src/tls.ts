import { ChannelCredentials, ServerCredentials } from "@grpc/grpc-js";

/**
 * PEM texts. `ca` replaces the certificate authorities of the system. A server with `ca` requires that clients have a
 * certificate of it.
 */
export type Tls = { ca?: string | undefined; cert?: string | undefined; key?: string | undefined };

/**
 * Creates the credentials of a server.
 *
 * @throws Error if the certificate or the key is missing
 */
export function serverCredentials(tls: Tls | undefined): ServerCredentials {
  if (tls === undefined) return ServerCredentials.createInsecure();
  if (tls.cert === undefined || tls.key === undefined) throw new Error("TLS on a server needs cert and key.");
  const pair = { cert_chain: Buffer.from(tls.cert), private_key: Buffer.from(tls.key) };
  return ServerCredentials.createSsl(bufferOf(tls.ca), [pair], tls.ca !== undefined);
}

export function channelCredentials(tls: Tls | undefined): ChannelCredentials {
  if (tls === undefined) return ChannelCredentials.createInsecure();
  return ChannelCredentials.createSsl(bufferOf(tls.ca), bufferOf(tls.key), bufferOf(tls.cert));
}

function bufferOf(pem: string | undefined): Buffer | null {
  return pem === undefined ? null : Buffer.from(pem);
}
