import { ChannelCredentials, ServerCredentials } from "@grpc/grpc-js";

/** PEM texts. `ca` is who is believed in place of the system's authorities; a server that has one wants a certificate of it from its clients. */
export type Tls = { ca?: string | undefined; cert?: string | undefined; key?: string | undefined };

/** @throws Error when a server's certificate or key is missing. */
export function serverCredentials(tls: Tls | undefined): ServerCredentials {
  if (tls === undefined) return ServerCredentials.createInsecure();
  if (tls.cert === undefined || tls.key === undefined) throw new Error("TLS on a server needs cert and key");
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
