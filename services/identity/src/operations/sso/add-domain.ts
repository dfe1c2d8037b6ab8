import { randomBytes } from "node:crypto";
import { limits } from "@asset-register/proto/limits";
import type { Call } from "@asset-register/rpc";
import { invalid } from "@asset-register/runtime";
import {
  type CompanyDomain,
  domainId,
  normalDomain,
  reasonAgainstDomain,
} from "../../domain/sso/company-domain.ts";
import { auditEntry } from "../audit-entry.ts";
import type { SsoContext } from "./sso-context.ts";

export type AddedDomain = { domain: CompanyDomain; created: boolean };

/** Adds a domain that is to be verified. Other workspaces may add it too. */
export async function addDomain(
  { mongo, stores, now }: SsoContext,
  { domain: text }: { domain: string },
  call: Call,
): Promise<AddedDomain> {
  const { workspaceId } = call;
  const domain = normalDomain(text);
  const reason = reasonAgainstDomain(domain);
  if (reason !== undefined) throw invalid([{ field: "domain", message: reason }]);
  const id = domainId(workspaceId, domain);
  return mongo.transaction(call, async (session) => {
    const known = await stores.companyDomains.get(workspaceId, id, session);
    if (known !== undefined) return { domain: known, created: false };
    if ((await stores.companyDomains.count(workspaceId, session)) >= limits.ssoDomains)
      throw invalid([{ field: "domain", message: `a workspace has at most ${limits.ssoDomains} domains` }]);
    const at = now();
    const other = await stores.companyDomains.any(workspaceId, session);
    const token = other?.token ?? randomBytes(16).toString("hex");
    const added: CompanyDomain = { id, workspaceId, domain, status: "pending", token, createdAt: at, rev: 1 };
    await stores.companyDomains.insert(workspaceId, added, session);
    await stores.auditLog.append(workspaceId, [auditEntry(call, at, "sso_domain.added", domain)], session);
    return { domain: added, created: true };
  });
}
