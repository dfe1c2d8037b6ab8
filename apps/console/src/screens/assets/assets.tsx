import { Button, Paper } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { getRouteApi, Link } from "@tanstack/react-router";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useSession } from "../../api/use-session.ts";
import { MoreButton } from "../../parts/more-button.tsx";
import { Page } from "../../parts/page.tsx";
import { useSelection } from "../../parts/selection.tsx";
import { Empty, Failed, Loading } from "../../parts/states.tsx";
import { useFormat } from "../../parts/workspace.ts";
import { AssetFilters } from "./asset-filters.tsx";
import { AssetForm } from "./asset-form.tsx";
import { AssetTable } from "./asset-table.tsx";
import { AssetsMenu } from "./assets-menu.tsx";
import { BulkBar } from "./bulk-bar.tsx";
import { ColumnChooser } from "./column-chooser.tsx";
import { ExportButton } from "./export-button.tsx";
import { SavedViewsList } from "./saved-views-list.tsx";
import { useAssets } from "./use-assets.ts";

const route = getRouteApi("/assets");

/** The list of assets: search, filters, and changes of many. */
export function Assets() {
  const { t } = useTranslation();
  const { may } = useSession();
  const format = useFormat();
  const search = route.useSearch();
  const [creating, setCreating] = useState(false);
  const { assets, total, isExact, ...found } = useAssets(search);
  const selection = useSelection(assets);
  const isFiltered = Object.keys(search).some((name) => name !== "sort" && name !== "columns");
  const create = may("create") && (
    <Button leftSection={<IconPlus size={17} aria-hidden />} onClick={() => setCreating(true)}>
      {t("assets.new")}
    </Button>
  );
  return (
    <Page
      title={t("assets.title")}
      subtitle={
        total !== undefined &&
        t("assets.total", { count: total, shown: `${format.number(total)}${isExact ? "" : "+"}` })
      }
      actions={
        <>
          <SavedViewsList search={search} />
          <ColumnChooser search={search} />
          <ExportButton search={search} />
          <AssetsMenu search={search} />
          {create}
        </>
      }
    >
      <AssetFilters search={search} />
      <Paper withBorder mt="sm" style={{ overflow: "hidden" }}>
        {found.isPending && <Loading />}
        {found.isError && <Failed error={found.error} retry={() => void found.refetch()} />}
        {found.isSuccess && assets.length === 0 && (
          <Empty
            title={t(isFiltered ? "assets.noneTitle" : "assets.emptyTitle")}
            text={t(isFiltered ? "assets.noneText" : "assets.emptyText")}
          >
            {isFiltered ? (
              <Button variant="default" component={Link} to="/assets">
                {t("assets.clear")}
              </Button>
            ) : (
              create
            )}
          </Empty>
        )}
        {assets.length > 0 && (
          <AssetTable
            assets={assets}
            selection={may("edit") ? selection : undefined}
            columns={search.columns}
          />
        )}
      </Paper>
      <MoreButton found={found} />
      {selection.rows.length > 0 && (
        <BulkBar ids={selection.rows.map(({ id }) => id)} onDone={selection.clear} />
      )}
      {creating && <AssetForm onClose={() => setCreating(false)} />}
    </Page>
  );
}
