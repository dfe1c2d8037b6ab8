import { getRouteApi } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { PagedList } from "../../../parts/paged-list.tsx";
import { AuditCard } from "./audit-card.tsx";
import { AuditFilters } from "./audit-filters.tsx";
import { useAuditLog } from "./use-audit-log.ts";

const route = getRouteApi("/settings");

/** The audit log, the newest entry first. */
export function AuditLog() {
  const { t } = useTranslation();
  const { actor, action } = route.useSearch();
  const found = useAuditLog({ ...(actor && { actor }), ...(action && { action }) });
  return (
    <>
      <AuditFilters />
      <PagedList found={found} empty={t("audit.none")}>
        {(entry) => <AuditCard key={entry.id} entry={entry} />}
      </PagedList>
    </>
  );
}
