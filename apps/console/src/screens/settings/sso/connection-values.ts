import type { Schemas } from "../../../api/client.ts";
import { type Capability, isCapability } from "../users/capabilities.ts";

type Connection = Schemas["SsoConnection"];

export type Group = { key: string; group: string; admin: boolean; capabilities: Capability[] };

/** The connection in the form. Of the secret only a new one is known. */
export type ConnectionValues = {
  issuer: string;
  client_id: string;
  client_secret: string;
  offline: boolean;
  provision: boolean;
  default_capabilities: Capability[];
  group_claim: string;
  groups: Group[];
  require_sso: Connection["require_sso"];
  mfa_by_provider: boolean;
};

/** By this scope the provider gives a refresh token, with which it can be asked whether a person has left. */
const OFFLINE = "offline_access";
const DEFAULT_SCOPES = ["openid", "email", "profile"];

export const emptyGroup = (): Group => ({
  ...{ key: crypto.randomUUID(), group: "", admin: false, capabilities: [] },
});

export function valuesOf(connection: Connection | undefined): ConnectionValues {
  return {
    issuer: connection?.issuer ?? "",
    client_id: connection?.client_id ?? "",
    client_secret: "",
    offline: connection?.scopes.includes(OFFLINE) ?? false,
    provision: connection?.provision ?? false,
    default_capabilities: (connection?.default_capabilities ?? []).filter(isCapability),
    group_claim: connection?.group_claim ?? "",
    groups: (connection?.groups ?? []).map(({ group, admin, capabilities }) => ({
      ...{ key: group, group, admin, capabilities: capabilities.filter(isCapability) },
    })),
    require_sso: connection?.require_sso ?? "off",
    mfa_by_provider: connection?.mfa_by_provider ?? true,
  };
}

/** The request that saves the form. Scopes that the form does not show stay. */
export function requestOf(
  { offline, client_secret, groups, ...values }: ConnectionValues,
  connection: Connection | undefined,
): Schemas["PutSsoRequest"] {
  const others = (connection?.scopes ?? DEFAULT_SCOPES).filter((scope) => scope !== OFFLINE);
  return {
    ...values,
    issuer: values.issuer.trim(),
    client_id: values.client_id.trim(),
    scopes: offline ? [...others, OFFLINE] : others,
    groups: groups.map(({ group, admin, capabilities }) => ({ group: group.trim(), admin, capabilities })),
    ...(client_secret !== "" && { client_secret }),
  };
}
