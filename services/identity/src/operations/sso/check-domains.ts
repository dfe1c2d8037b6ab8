import type { CompanyDomain } from "../../domain/sso/company-domain.ts";
import { LOST_AFTER_MS, recordName, showsToken } from "../../domain/sso/company-domain.ts";
import { auditEntry } from "../audit-entry.ts";
import { loseDomain } from "./lose-domain.ts";
import type { SsoContext } from "./sso-context.ts";

const DAY_MS = 86_400_000;

/** Domains of one look. */
const BATCH = 100;

/** Looks for the TXT records of domains that were not looked at for a day. */
export async function checkDomains(context: SsoContext, signal?: AbortSignal): Promise<void> {
  const { stores, now } = context;
  for (;;) {
    const found = await stores.companyDomains.listUnchecked(new Date(now().getTime() - DAY_MS), BATCH);
    for (const domain of found) {
      if (signal?.aborted) return;
      await checkDomain(context, domain);
    }
    if (found.length < BATCH) return;
  }
}

async function checkDomain(context: SsoContext, before: CompanyDomain): Promise<void> {
  const { sso, logger } = context;
  // Name servers that do not answer say nothing about the record.
  const records = await sso.lookUpTxt(recordName(before.domain)).catch(() => undefined);
  const isThere = records === undefined ? undefined : showsToken(records, before.token);
  await save(context, before, isThere).catch((error) =>
    logger.warn(
      { error, domain: before.domain },
      "the check of a domain was not saved; it is repeated tomorrow",
    ),
  );
}

async function save(context: SsoContext, before: CompanyDomain, isThere: boolean | undefined): Promise<void> {
  const { mongo, stores, now } = context;
  const { workspaceId, domain, status, rev } = before;
  const at = now();
  const missingSince =
    isThere === undefined ? before.missingSince : isThere ? undefined : (before.missingSince ?? at);
  const isOver =
    isThere === false && missingSince !== undefined && at.getTime() - missingSince.getTime() >= LOST_AFTER_MS;
  await mongo.transaction({}, async (session) => {
    if (isOver && status === "verified")
      return loseDomain(context, { ...before, missingSince }, { taken: false }, session);
    const isBack = isThere === true && status === "lost";
    const changed = isBack || missingSince?.getTime() !== before.missingSince?.getTime();
    const after: CompanyDomain = {
      ...{ ...before, missingSince, checkedAt: at, rev: changed ? rev + 1 : rev },
      ...(isBack && { status: "verified", verifiedAt: at }),
    };
    await stores.companyDomains.save(workspaceId, after, rev, session);
    if (!isBack) return;
    const by = { workspaceId, actor: { kind: "service", id: "single-sign-on" } as const };
    await stores.auditLog.append(workspaceId, [auditEntry(by, at, "sso_domain.verified", domain)], session);
  });
}
