import { baseSettings, type CertificateWatch, settings } from "@asset-register/runtime";
import { z } from "zod";
import type { ServiceIdentityOptions } from "./identity.ts";

/** The settings of every process that calls other services or is called by them. Spread them into its schema. */
export const rpcSettings = {
  SERVICE_PRIVATE_KEY: settings.pem(),
  TRUSTED_KEYS: settings.json(z.record(z.string(), z.array(z.string()).min(1))),
  /** Any of these three settings enables TLS between the services. */
  GRPC_TLS_CA: settings.pemOrFile().optional(),
  GRPC_TLS_CERT: settings.pemOrFile().optional(),
  GRPC_TLS_KEY: settings.pemOrFile().optional(),
  /** The network encrypts the calls between the services, so that production does not need TLS of their own. */
  GRPC_NETWORK_ENCRYPTED: settings.flag().prefault("false"),
};

const schema = z.object({ ...rpcSettings, NODE_ENV: baseSettings.NODE_ENV });

/**
 * Converts parsed settings to options of createServiceIdentity.
 *
 * @throws Error for a certificate without its key, a key without its certificate, or calls in clear in production
 */
export function identityOptions(
  name: string,
  config: z.output<typeof schema>,
  certificates: CertificateWatch,
): ServiceIdentityOptions {
  const { GRPC_TLS_CA: ca, GRPC_TLS_CERT: cert, GRPC_TLS_KEY: key } = config;
  if ((cert === undefined) !== (key === undefined))
    throw new Error("GRPC_TLS_CERT and GRPC_TLS_KEY belong together");
  const tls = (ca ?? cert) === undefined ? undefined : certificates.add("grpc", { ca, cert, key });
  if (tls === undefined && config.NODE_ENV === "production" && !config.GRPC_NETWORK_ENCRYPTED)
    throw new Error(
      "NODE_ENV is production, so calls between the services must be encrypted: set GRPC_TLS_CA, GRPC_TLS_CERT and " +
        "GRPC_TLS_KEY, or GRPC_NETWORK_ENCRYPTED=true if the network encrypts them",
    );
  return {
    name,
    privateKeyPem: config.SERVICE_PRIVATE_KEY,
    trustedKeys: config.TRUSTED_KEYS,
    tls,
  };
}
