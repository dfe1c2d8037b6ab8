import type { Certificates, Tls } from "@asset-register/runtime";
import { ChannelCredentials, ServerCredentials } from "@grpc/grpc-js";

/**
 * Creates the credentials of a server. With an authority, it requires that clients have a certificate of it. New
 * connections use the certificates that are current then.
 *
 * @throws Error if the certificate or the key is missing
 */
export function serverCredentials(certificates: Certificates | undefined): ServerCredentials {
  if (certificates === undefined) return ServerCredentials.createInsecure();
  const { cert, key } = certificates.current();
  if (cert === undefined || key === undefined) throw new Error("TLS on a server needs cert and key.");
  return new WatchedServerCredentials(certificates);
}

export function channelCredentials(certificates: Certificates | undefined): ChannelCredentials {
  if (certificates === undefined) return ChannelCredentials.createInsecure();
  return ChannelCredentials.createFromSecureContext(certificates.context);
}

/** `createSsl` of grpc-js, with certificates that change. Its own watcher of files reads no other source. */
class WatchedServerCredentials extends ServerCredentials {
  constructor(certificates: Certificates) {
    const { ca } = certificates.current();
    super({ requestCert: ca !== undefined }, optionsOf(certificates.current()));
    certificates.onChange((tls) => this.updateSecureContextOptions(optionsOf(tls)));
  }

  override _equals(other: ServerCredentials): boolean {
    return other === this;
  }
}

const optionsOf = ({ ca, cert, key }: Tls) => ({ ca, cert, key });
