import type { Call } from "@asset-register/rpc";
import { conflict, requireFound, requireRev } from "@asset-register/runtime";
import { domainId, normalDomain } from "../../domain/sso/company-domain.ts";
import { auditEntry } from "../audit-entry.ts";
import type { SsoContext } from "./sso-context.ts";
import type { NamedDomain } from "./verify-domain.ts";

/**
 * Removes a domain. Sign-ins begin with a domain, so none is removed while they are required.
 * @throws AppError SSO_DOMAIN_IN_USE
 */
export async function removeDomain(
  { mongo, stores, now }: SsoContext,
  { domain: text, ifRevIn }: NamedDomain,
  call: Call,
): Promise<void> {
  const { workspaceId } = call;
  const id = domainId(workspaceId, normalDomain(text));
  await mongo.transaction(call, async (session) => {
    const found = requireFound(await stores.companyDomains.get(workspaceId, id, session), "domain");
    requireRev(found.rev, ifRevIn);
    const connection = await stores.ssoConnections.get(workspaceId, session);
    if (found.status !== "pending" && connection !== undefined && connection.requireSso !== "off")
      throw conflict(
        "SSO_DOMAIN_IN_USE",
        "Single sign-on is required. Stop requiring it, then remove the domain.",
        [{ field: "require_sso", message: connection.requireSso }],
      );
    await stores.companyDomains.remove(workspaceId, id, session);
    const entry = auditEntry(call, now(), "sso_domain.removed", found.domain);
    await stores.auditLog.append(workspaceId, [entry], session);
  });
}
