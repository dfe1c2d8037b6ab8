import { isDuplicateKey } from "@asset-register/mongo";
import type { Call } from "@asset-register/rpc";
import { conflict, invalid, requireFound, requireRev } from "@asset-register/runtime";
import {
  type CompanyDomain,
  domainId,
  normalDomain,
  recordName,
  showsToken,
} from "../../domain/sso/company-domain.ts";
import { HELD_DOMAIN } from "../../store/sso/domains.ts";
import { auditEntry } from "../audit-entry.ts";
import { loseDomain } from "./lose-domain.ts";
import type { SsoContext } from "./sso-context.ts";

export type NamedDomain = { domain: string; ifRevIn: readonly number[] };

/**
 * Looks for the TXT record of the workspace. Another workspace that holds the domain loses it only if its own record is
 * gone at this moment.
 * @throws AppError VALIDATION_FAILED, SSO_DOMAIN_TAKEN, UNAVAILABLE
 */
export async function verifyDomain(
  context: SsoContext,
  { domain: text, ifRevIn }: NamedDomain,
  call: Call,
): Promise<CompanyDomain> {
  const { mongo, stores, sso, now } = context;
  const { workspaceId } = call;
  const domain = normalDomain(text);
  const id = domainId(workspaceId, domain);
  const known = requireFound(await stores.companyDomains.get(workspaceId, id), "domain");
  requireRev(known.rev, ifRevIn);
  const records = await sso.lookUpTxt(recordName(domain));
  if (!showsToken(records, known.token))
    throw invalid([{ field: "domain", message: "has no such TXT record yet" }]);
  const holder = await stores.companyDomains.findHeld(domain);
  const other = holder?.workspaceId === workspaceId ? undefined : holder;
  if (other && showsToken(records, other.token)) throw taken();
  try {
    // The holder's workspace and that of the call change together. Identity's domains are never sharded.
    return await mongo.transaction({ keyed: call.keyed, deadline: call.deadline }, async (session) => {
      const at = now();
      const before = requireFound(await stores.companyDomains.get(workspaceId, id, session), "domain");
      requireRev(before.rev, ifRevIn);
      // Only the one whose record was looked for: see HELD_DOMAIN.
      if (other) await loseDomain(context, other, { taken: true }, session);
      const isSame = before.status === "verified" && before.missingSince === undefined;
      const verified: CompanyDomain = {
        ...{ ...before, status: "verified", missingSince: undefined, checkedAt: at },
        ...{ verifiedAt: isSame ? before.verifiedAt : at, rev: isSame ? before.rev : before.rev + 1 },
      };
      await stores.companyDomains.save(workspaceId, verified, before.rev, session);
      if (!isSame)
        await stores.auditLog.append(
          workspaceId,
          [auditEntry(call, at, "sso_domain.verified", domain)],
          session,
        );
      return verified;
    });
  } catch (error) {
    if (isDuplicateKey(error, HELD_DOMAIN)) throw taken();
    throw error;
  }
}

const taken = () =>
  conflict(
    "SSO_DOMAIN_TAKEN",
    "Another workspace has verified this domain, and its TXT record is still there.",
    [{ field: "domain", message: "belongs to another workspace" }],
  );
