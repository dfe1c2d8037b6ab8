import type { Keyring, Sealed, SealedPlace } from "@asset-register/runtime";
import type { SsoConnection, UsableConnection } from "../domain/sso/connection.ts";
import { ssoConnectionRecords } from "../store/sso/connections.ts";
import type { Provider, Providers } from "./providers.ts";
import type { LookUpTxt } from "./txt-records.ts";

/** The parts of single sign-on besides the database. */
export type Sso = {
  providers: Providers;
  lookUpTxt: LookUpTxt;
  keyring: Keyring;
  privateIssuers: readonly string[];
  /** The address of the platform, without a final slash. */
  publicUrl: string;
};

const SURFACE = "/asset_manager_api";

/** Where the provider sends people back to. It names the connection, so that no provider can answer for another. */
export const redirectUriOf = ({ publicUrl }: Pick<Sso, "publicUrl">, connectionId: string): string =>
  `${publicUrl}${SURFACE}/sso/callback/${connectionId}`;

export const logoutUriOf = ({ publicUrl }: Pick<Sso, "publicUrl">, connectionId: string): string =>
  `${publicUrl}${SURFACE}/sso/logout/${connectionId}`;

const secretPlace = (connectionId: string): SealedPlace => ({
  service: "identity",
  collection: ssoConnectionRecords.collection,
  recordId: connectionId,
});

export const sealSecret = ({ keyring }: Pick<Sso, "keyring">, connectionId: string, secret: string): Sealed =>
  keyring.encrypt(secret, secretPlace(connectionId));

/** The provider of a connection, with what is kept of it. */
export function findProvider({ providers, keyring }: Sso, connection: UsableConnection): Promise<Provider> {
  return providers.find(connection, openSecret(keyring, connection));
}

export const openSecret = (
  keyring: Keyring,
  { id, clientSecret }: Pick<UsableConnection, "id" | "clientSecret">,
) => keyring.decrypt(clientSecret, secretPlace(id)).toString();

/** The fields of a connection for the audit log. */
export function auditedFields(connection: SsoConnection) {
  const {
    issuer,
    clientId,
    scopes,
    provision,
    defaultCapabilities,
    groupClaim,
    groups,
    requireSso,
    mfaByProvider,
  } = connection;
  const mapped = groups.map(({ group, capabilities }) => `${group}: ${capabilities.join(" ")}`);
  return {
    ...{ issuer, clientId, scopes, provision, defaultCapabilities, groupClaim, requireSso, mfaByProvider },
    groups: mapped,
  };
}
