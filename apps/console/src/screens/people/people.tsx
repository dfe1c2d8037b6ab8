import { Tabs } from "@mantine/core";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { useSession } from "../../api/use-session.ts";
import { Page } from "../../parts/page.tsx";
import { TabRow } from "../../parts/tab-row.tsx";
import { Categories } from "./categories.tsx";
import { Custodians } from "./custodians.tsx";
import { CustomFields } from "./custom-fields.tsx";
import { Departments } from "./departments.tsx";
import { type Tab, tabs } from "./people-search.ts";

const route = getRouteApi("/people");

const contents = {
  custodians: Custodians,
  departments: Departments,
  categories: Categories,
  "custom-fields": CustomFields,
} satisfies Record<Tab, unknown>;

/** Custodians and departments, categories and custom fields. */
export function People() {
  const { t } = useTranslation();
  const { may } = useSession();
  const search = route.useSearch();
  const navigate = useNavigate({ from: "/people" });
  // Only who may define custom fields may list them.
  const visible = tabs.filter((tab) => tab !== "custom-fields" || may("manage"));
  const { tab = "custodians" } = search;
  const Content = contents[tab];
  return (
    <Page title={t("nav.people")}>
      <Tabs value={tab} onChange={(value) => void navigate({ search: { tab: value as Tab } })}>
        <TabRow tabs={visible} active={tab} label={(one) => t(`people.${one}`)} />
        {tabs.map((one) => (
          <Tabs.Panel key={one} value={one}>
            {one === tab && <Content search={search} />}
          </Tabs.Panel>
        ))}
      </Tabs>
    </Page>
  );
}
