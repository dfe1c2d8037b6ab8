import { Anchor, Tabs } from "@mantine/core";
import { Link, useNavigate } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { api, type Schemas } from "../../api/client.ts";
import { PagedList } from "../../parts/paged-list.tsx";
import { CardLine, RecordCard } from "../../parts/record-card.tsx";
import { TabRow } from "../../parts/tab-row.tsx";
import { usePages } from "../../parts/use-pages.ts";
import { useFormat } from "../../parts/workspace.ts";
import { type RowState, rowStates } from "./import-search.ts";
import { reasonOfRow } from "./row-reason.ts";

/** The rows of an import by what came of them: reasons of those that fail, links to the assets of the others. */
export function ImportRows({ record, state }: { record: Schemas["Import"]; state: RowState }) {
  const { t } = useTranslation();
  const format = useFormat();
  const navigate = useNavigate({ from: "/import" });
  const { id, counts, dry_run } = record;
  const shown = rowStates.filter((one) => counts[one] > 0);
  const tab = shown.includes(state) ? state : shown[0];
  if (tab === undefined) return null;
  return (
    <Tabs
      value={tab}
      onChange={(rows) => void navigate({ search: { id, rows: rows as RowState }, replace: true })}
      keepMounted={false}
    >
      <TabRow
        tabs={shown}
        active={tab}
        label={(one) =>
          `${t(dry_run ? `importing.counts.${one}` : `importing.countsRun.${one}`)} (${format.number(counts[one])})`
        }
      />
      <Tabs.Panel value={tab}>
        <Rows id={id} state={tab} />
      </Tabs.Panel>
    </Tabs>
  );
}

function Rows({ id, state }: { id: string; state: RowState }) {
  const { t } = useTranslation();
  const found = usePages<Schemas["ImportRow"]>("/import/assets/rows", `${id} ${state}`, (page, signal) =>
    api.GET("/import/assets/{id}/rows", {
      params: { path: { id }, query: { ...page, status: state, expand: ["asset"] } },
      signal,
    }),
  );
  return (
    <PagedList found={found} empty={t("importing.none")}>
      {({ row, number, asset_id, asset, errors }) => (
        <RecordCard key={row} title={`${t("importing.row")} ${row}${number ? ` · ${number}` : ""}`}>
          {asset_id !== null && (
            <Anchor
              renderRoot={(props) => <Link {...props} to="/assets/$id" params={{ id: asset_id }} />}
              size="sm"
              underline="always"
              className="wrap"
            >
              {asset?.name ?? number ?? asset_id}
            </Anchor>
          )}
          {errors.map((error) => (
            <CardLine key={`${error.column} ${error.message}`}>
              {[error.column, error.value && `“${error.value}”`, reasonOfRow(error)]
                .filter(Boolean)
                .join(" ")}
            </CardLine>
          ))}
        </RecordCard>
      )}
    </PagedList>
  );
}
