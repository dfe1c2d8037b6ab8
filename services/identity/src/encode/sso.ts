import {
  type SsoConnectionSchema,
  type SsoDomainSchema,
  SsoDomainStatus,
} from "@asset-register/proto/assetregister/identity/v1/sso_pb";
import { capabilityNames, encodeInstants, enumNames } from "@asset-register/rpc";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { requireSsoNames } from "../decode/sso.ts";
import { type CompanyDomain, recordName, recordValue } from "../domain/sso/company-domain.ts";
import type { GroupRights, SsoConnection } from "../domain/sso/connection.ts";
import { logoutUriOf, redirectUriOf, type Sso } from "../providers/sso.ts";

const statusNames = enumNames(SsoDomainStatus);

const encodeGroup = ({ group, capabilities }: GroupRights) => ({
  group,
  capabilities: granted(capabilities),
  admin: capabilities.includes("admin"),
});

const granted = (capabilities: GroupRights["capabilities"]) =>
  capabilities.filter((name) => name !== "admin").map((name) => capabilityNames.encode(name));

export function encodeConnection(
  sso: Pick<Sso, "publicUrl">,
  { clientId = "", groupClaim = "", clientSecret, ...connection }: SsoConnection,
): MessageInitShape<typeof SsoConnectionSchema> {
  return {
    ...encodeInstants({ ...connection, clientId, groupClaim }),
    hasClientSecret: clientSecret !== undefined,
    defaultCapabilities: granted(connection.defaultCapabilities),
    groups: connection.groups.map(encodeGroup),
    requireSso: requireSsoNames.encode(connection.requireSso),
    redirectUri: redirectUriOf(sso, connection.id),
    backchannelLogoutUri: logoutUriOf(sso, connection.id),
  };
}

export function encodeDomain(domain: CompanyDomain): MessageInitShape<typeof SsoDomainSchema> {
  return {
    ...encodeInstants(domain),
    status: statusNames.encode(domain.status),
    recordName: recordName(domain.domain),
    recordValue: recordValue(domain.token),
  };
}
