import { Tabs } from "@mantine/core";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { useSession } from "../../api/use-session.ts";
import { Page } from "../../parts/page.tsx";
import { TabRow } from "../../parts/tab-row.tsx";
import { ApiKeys } from "./api-keys/api-keys.tsx";
import { AuditLog } from "./audit/audit-log.tsx";
import { Profile } from "./profile/profile.tsx";
import { type Tab, tabs } from "./settings-search.ts";
import { SsoSettings } from "./sso/sso-settings.tsx";
import { Users } from "./users/users.tsx";
import { Webhooks } from "./webhooks/webhooks.tsx";
import { WorkspaceSettings } from "./workspace/workspace-settings.tsx";

const route = getRouteApi("/settings");

const panels = {
  profile: Profile,
  workspace: WorkspaceSettings,
  users: Users,
  sso: SsoSettings,
  keys: ApiKeys,
  webhooks: Webhooks,
  audit: AuditLog,
} as const satisfies Record<Tab, () => ReactNode>;

/** The user's own account, and the workspace for its admins. */
export function Settings() {
  const { t } = useTranslation();
  const { may } = useSession();
  const navigate = useNavigate();
  const search = route.useSearch();
  const shown = may("admin") ? tabs : tabs.filter((tab) => tab === "profile");
  const current = shown.find((tab) => tab === search.tab) ?? "profile";
  const Panel = panels[current];
  return (
    <Page title={t("settings.title")}>
      <Tabs
        value={current}
        onChange={(tab) => void navigate({ to: "/settings", search: { tab: tab as Tab } })}
        keepMounted={false}
      >
        <TabRow tabs={shown} active={current} label={(tab) => t(`settings.${tab}`)} />
        <Tabs.Panel value={current}>
          <Panel />
        </Tabs.Panel>
      </Tabs>
    </Page>
  );
}
