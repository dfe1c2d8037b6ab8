import { Tabs } from "@mantine/core";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { useSession } from "../../api/use-session.ts";
import { Page } from "../../parts/page.tsx";
import { TabRow } from "../../parts/tab-row.tsx";
import { AlertList } from "./alert-list.tsx";
import { type Tab, tabs } from "./alert-search.ts";
import { Rules } from "./rules.tsx";

const route = getRouteApi("/alerts");

/** The alerts, and the rules. */
export function Alerts() {
  const { t } = useTranslation();
  const { may } = useSession();
  const navigate = useNavigate({ from: "/alerts" });
  const search = route.useSearch();
  if (!may("alerts"))
    return (
      <Page title={t("nav.alerts")}>
        <AlertList search={search} />
      </Page>
    );
  const { tab = "list" } = search;
  return (
    <Page title={t("nav.alerts")}>
      <Tabs
        value={tab}
        onChange={(next) => void navigate({ search: { tab: next as Tab } })}
        keepMounted={false}
      >
        <TabRow tabs={tabs} active={tab} label={(one) => t(`alerts.${one}`)} />
        <Tabs.Panel value="list">
          <AlertList search={search} />
        </Tabs.Panel>
        <Tabs.Panel value="rules">
          <Rules />
        </Tabs.Panel>
      </Tabs>
    </Page>
  );
}
