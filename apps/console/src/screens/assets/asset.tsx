import { Alert, Anchor, Grid, Stack, Tabs } from "@mantine/core";
import { getRouteApi, Link, useNavigate } from "@tanstack/react-router";
import { lazy, Suspense } from "react";
import { useTranslation } from "react-i18next";
import { queries, type Schemas } from "../../api/client.ts";
import { Page } from "../../parts/page.tsx";
import { Failed, Loading } from "../../parts/states.tsx";
import { AssetBadge } from "../../parts/status-badge.tsx";
import { TabRow } from "../../parts/tab-row.tsx";
import { useFormat, useTenant } from "../../parts/workspace.ts";
import { AssetActions } from "./asset-actions.tsx";
import { AssetAsOf } from "./asset-as-of.tsx";
import { AssetCheckouts } from "./asset-checkouts.tsx";
import { AssetDetails } from "./asset-details.tsx";
import { AssetDocuments } from "./asset-documents.tsx";
import { AssetFacts } from "./asset-facts.tsx";
import { AssetHistory } from "./asset-history.tsx";
import { AssetOrders } from "./asset-orders.tsx";
import { type Tab, tabs } from "./asset-page-search.ts";
import { AssetPhoto } from "./asset-photo.tsx";
import { AssetSeen } from "./asset-seen.tsx";

const route = getRouteApi("/assets/$id");

/** Charts are a chunk of their own. */
const AssetDepreciation = lazy(async () => ({
  default: (await import("./asset-depreciation.tsx")).AssetDepreciation,
}));

const EXPAND = ["location", "custodian", "category", "department", "user", "zone", "reader"] as const;

/** One asset: what it is, where it is, who has it, what it is worth, and what has happened to it. */
export function AssetScreen() {
  const { t } = useTranslation();
  const { id } = route.useParams();
  const { tab = "overview", day, ...span } = route.useSearch();
  const navigate = useNavigate({ from: "/assets/$id" });
  const found = queries.useQuery("get", "/assets/{id}", {
    params: { path: { id }, query: { expand: [...EXPAND] } },
  });
  const format = useFormat();
  const status = useTenant()?.statuses.find((one) => one.id === (found.data as Schemas["Asset"])?.status_id);
  if (found.isPending) return <Loading />;
  if (found.isError) return <Failed error={found.error} retry={() => void found.refetch()} />;
  // Without `as_of` the answer is the asset itself.
  const asset = found.data as Schemas["Asset"];
  return (
    <Page
      title={asset.name}
      subtitle={
        <>
          <Anchor component={Link} to="/assets" size="sm" underline="always">
            {t("assets.title")}
          </Anchor>
          {" › "}
          {asset.number} <AssetBadge status={status} checkout={asset.current_checkout} />
        </>
      }
      actions={asset.disposed === null && <AssetActions asset={asset} />}
    >
      {asset.disposed && (
        <Alert color="gray" mb="md" title={t("asset.disposed", { date: format.day(asset.disposed.date) })}>
          {t(`disposal.${asset.disposed.method}`)} {asset.disposed.note}
        </Alert>
      )}
      <Grid gap="md">
        <Grid.Col span={{ base: 12, md: 4 }}>
          <Stack>
            <AssetPhoto asset={asset} />
            <AssetFacts asset={asset} />
          </Stack>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 8 }}>
          <Tabs
            value={tab}
            onChange={(value) => void navigate({ search: { tab: value as Tab }, replace: true })}
            keepMounted={false}
          >
            <TabRow tabs={tabs} active={tab} label={(one) => t(`asset.${one}`)} />
            <Tabs.Panel value="overview">
              <AssetDetails asset={asset} />
            </Tabs.Panel>
            <Tabs.Panel value="history">
              <AssetAsOf asset={asset} day={day} />
              <AssetHistory id={id} />
            </Tabs.Panel>
            <Tabs.Panel value="seen">
              <AssetSeen id={id} {...span} />
            </Tabs.Panel>
            <Tabs.Panel value="custody">
              <AssetCheckouts id={id} />
            </Tabs.Panel>
            <Tabs.Panel value="documents">
              <AssetDocuments id={id} />
            </Tabs.Panel>
            <Tabs.Panel value="orders">
              <AssetOrders id={id} />
            </Tabs.Panel>
            <Tabs.Panel value="depreciation">
              <Suspense fallback={<Loading />}>
                <AssetDepreciation id={id} />
              </Suspense>
            </Tabs.Panel>
          </Tabs>
        </Grid.Col>
      </Grid>
    </Page>
  );
}
