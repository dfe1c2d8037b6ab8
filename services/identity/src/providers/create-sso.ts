import { createResolver } from "@asset-register/guarded-http";
import type { Keyring } from "@asset-register/runtime";
import type { Config } from "../config.ts";
import { createProviders } from "./providers.ts";
import type { Sso } from "./sso.ts";
import { createTxtLookUp } from "./txt-records.ts";

/** The parts of single sign-on that reach out of the platform: providers and name servers. */
export function createSso(config: Config, { keyring, now }: { keyring: Keyring; now: () => Date }): Sso {
  const { SSO_PRIVATE_ISSUERS: privateIssuers, SSO_CA: ca, SSO_DNS_SERVERS: servers } = config;
  return {
    ...{ keyring, privateIssuers, publicUrl: config.PUBLIC_URL },
    providers: createProviders({ ...{ privateIssuers, ca, now }, resolve: createResolver(servers) }),
    lookUpTxt: createTxtLookUp(servers),
  };
}
