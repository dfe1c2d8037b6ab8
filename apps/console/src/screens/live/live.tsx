import { Tabs } from "@mantine/core";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { useSession } from "../../api/use-session.ts";
import { Page } from "../../parts/page.tsx";
import { TabRow } from "../../parts/tab-row.tsx";
import { Agents } from "./agents/agents.tsx";
import { type Tab, tabs } from "./live-search.ts";
import { Now } from "./now.tsx";
import { Readers } from "./readers/readers.tsx";
import { ReaderSettings } from "./settings/reader-settings.tsx";
import { SimulateButton, SimulationProgress } from "./simulation/simulation.tsx";
import { useSimulation } from "./simulation/use-simulation.ts";
import { Zones } from "./zones/zones.tsx";

const route = getRouteApi("/live");

/** The tags that readers see now. Users that may manage devices also see readers and zones. */
export function Live() {
  const { t } = useTranslation();
  const { may } = useSession();
  const navigate = useNavigate({ from: "/live" });
  const search = route.useSearch();
  const simulation = useSimulation();
  if (!may("devices"))
    return (
      <Page title={t("nav.live")}>
        <Now search={search} />
      </Page>
    );
  const { tab = "now" } = search;
  return (
    <Page title={t("nav.live")} actions={<SimulateButton simulation={simulation} />}>
      <SimulationProgress simulation={simulation} />
      <Tabs
        value={tab}
        onChange={(next) => void navigate({ search: { tab: next as Tab } })}
        keepMounted={false}
      >
        <TabRow tabs={tabs} active={tab} label={(one) => t(`live.${one}`)} />
        <Tabs.Panel value="now">
          <Now search={search} />
        </Tabs.Panel>
        <Tabs.Panel value="readers">
          <Readers search={search} />
        </Tabs.Panel>
        <Tabs.Panel value="zones">
          <Zones />
        </Tabs.Panel>
        <Tabs.Panel value="agents">
          <Agents />
        </Tabs.Panel>
        <Tabs.Panel value="settings">
          <ReaderSettings />
        </Tabs.Panel>
      </Tabs>
    </Page>
  );
}
