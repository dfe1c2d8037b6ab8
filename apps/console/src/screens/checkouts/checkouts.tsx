import { Button, Paper, Tabs } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useSession } from "../../api/use-session.ts";
import { CheckOutDialog } from "../../parts/custody/check-out-dialog.tsx";
import { Page } from "../../parts/page.tsx";
import { TabRow } from "../../parts/tab-row.tsx";
import { CheckoutList } from "./checkout-list.tsx";
import { type View, views } from "./checkout-search.ts";

const route = getRouteApi("/checkouts");

/** Open, overdue and soon due checkouts; to issue and to take back. */
export function Checkouts() {
  const { t } = useTranslation();
  const { may } = useSession();
  const { view = "out" } = route.useSearch();
  const navigate = useNavigate({ from: "/checkouts" });
  const [issuing, setIssuing] = useState(false);
  const issue = may("edit") && (
    <Button leftSection={<IconPlus size={17} aria-hidden />} onClick={() => setIssuing(true)}>
      {t("asset.checkOut")}
    </Button>
  );
  return (
    <Page title={t("nav.checkouts")} subtitle={t("checkouts.subtitle")} actions={issue}>
      <Tabs value={view} onChange={(next) => void navigate({ search: { view: next as View } })}>
        <TabRow tabs={views} active={view} label={(one) => t(`checkouts.${one}`)} />
        {views.map((one) => (
          <Tabs.Panel key={one} value={one}>
            {one === view && (
              <Paper withBorder style={{ overflow: "hidden" }}>
                <CheckoutList key={view} view={view} issue={issue} />
              </Paper>
            )}
          </Tabs.Panel>
        ))}
      </Tabs>
      {issuing && <CheckOutDialog onClose={() => setIssuing(false)} />}
    </Page>
  );
}
