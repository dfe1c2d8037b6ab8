import { settings } from "@asset-register/runtime";
import { z } from "zod";
import type { ServiceIdentityOptions } from "./identity.ts";

/** The settings of every process that calls other services or is called by them. Spread them into its schema. */
export const rpcSettings = {
  SERVICE_PRIVATE_KEY: settings.pem(),
  TRUSTED_KEYS: settings.json(z.record(z.string(), z.array(z.string()).min(1))),
  /** Any of these three settings enables TLS between the services. */
  GRPC_TLS_CA: settings.pem().optional(),
  GRPC_TLS_CERT: settings.pem().optional(),
  GRPC_TLS_KEY: settings.pem().optional(),
};

const schema = z.object(rpcSettings);

/**
 * Converts parsed settings to options of createServiceIdentity.
 *
 * @throws Error for a certificate without its key, or a key without its certificate
 */
export function identityOptions(name: string, config: z.output<typeof schema>): ServiceIdentityOptions {
  const { GRPC_TLS_CA: ca, GRPC_TLS_CERT: cert, GRPC_TLS_KEY: key } = config;
  if ((cert === undefined) !== (key === undefined))
    throw new Error("GRPC_TLS_CERT and GRPC_TLS_KEY belong together");
  return {
    name,
    privateKeyPem: config.SERVICE_PRIVATE_KEY,
    trustedKeys: config.TRUSTED_KEYS,
    ...((ca ?? cert) !== undefined && { tls: { ca, cert, key } }),
  };
}
