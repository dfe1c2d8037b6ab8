import type { ClientSession } from "@asset-register/mongo";
import { domainLost } from "../../domain/notices.ts";
import type { CompanyDomain } from "../../domain/sso/company-domain.ts";
import { auditEntry } from "../audit-entry.ts";
import { notifyAdmins } from "../mails/queue-notice.ts";
import type { SsoContext } from "./sso-context.ts";

/**
 * Ends the verification of a domain, and informs the admins. A domain that another workspace takes is as if it was never
 * verified; one that is only lost stays with its workspace, so that people who have signed in before still can.
 * @throws AppError CONFLICT when the domain has changed since it was read
 */
export async function loseDomain(
  context: SsoContext,
  before: CompanyDomain,
  { taken }: { taken: boolean },
  session: ClientSession,
): Promise<void> {
  const { stores, now } = context;
  const { workspaceId, domain, rev } = before;
  const at = now();
  const lost: CompanyDomain = {
    ...{ ...before, status: taken ? "pending" : "lost", rev: rev + 1, checkedAt: at },
    ...{ verifiedAt: undefined, missingSince: taken ? undefined : before.missingSince },
  };
  await stores.companyDomains.save(workspaceId, lost, rev, session);
  // A domain that was lost before is no news.
  if (before.status === "lost") return;
  const by = { workspaceId, actor: { kind: "service", id: "single-sign-on" } as const };
  const changes = [{ field: "reason", after: taken ? "taken" : "missing" }];
  await stores.auditLog.append(
    workspaceId,
    [auditEntry(by, at, "sso_domain.lost", domain, changes)],
    session,
  );
  await notifyAdmins(context, workspaceId, ({ name }) => domainLost(name, domain, taken), session);
}
