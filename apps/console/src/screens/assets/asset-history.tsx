import { Button, Card, Text, Timeline } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { api, type Schemas } from "../../api/client.ts";
import { Ago } from "../../parts/ago.tsx";
import { PagedList } from "../../parts/paged-list.tsx";
import { usePages } from "../../parts/use-pages.ts";
import { useTenant } from "../../parts/workspace.ts";

type Entry = Schemas["HistoryEntry"];

const LIST = "/assets/{id}/history";
const EXPAND = ["location", "custodian", "category", "status", "department", "user", "reader"] as const;

/** Everything that has happened to an asset, the newest first. */
export function AssetHistory({ id }: { id: string }) {
  const { t } = useTranslation();
  const found = usePages<Entry>(LIST, id, (query, signal) =>
    api.GET(LIST, {
      params: { path: { id }, query: { ...query, sort: "-id", expand: [...EXPAND] } },
      signal,
    }),
  );
  // All entries are one timeline.
  const timelines = found.rows.length > 0 ? [found.rows] : [];
  return (
    <PagedList found={{ ...found, rows: timelines }} empty={t("asset.noHistory")}>
      {(entries) => (
        <Card key="entries" withBorder padding="md">
          <Timeline bulletSize={12} lineWidth={2} active={-1}>
            {entries.map((entry) => (
              <Timeline.Item key={entry.id} title={t(`historyAction.${entry.action}`)}>
                <Text size="xs" c="dimmed">
                  {entry.actor.name ?? t(`actor.${entry.actor.kind}`)} · {entry.at && <Ago at={entry.at} />}
                </Text>
                {entry.note && (
                  <Text size="sm" mt={4} className="wrap">
                    {entry.note}
                  </Text>
                )}
                <Changes changes={entry.changes} />
              </Timeline.Item>
            ))}
          </Timeline>
        </Card>
      )}
    </PagedList>
  );
}

const MAX_CHANGES = 8;
/** The action says it; an id says nothing to people. */
const UNTOLD = ["tag_id", "checkout_id"];

function Changes({ changes }: { changes: Entry["changes"] }) {
  const { t } = useTranslation();
  const labelOf = useFieldLabel();
  const [isWhole, setWhole] = useState(false);
  const told = changes.filter(({ field }) => !UNTOLD.includes(field));
  const shown = isWhole ? told : told.slice(0, MAX_CHANGES);
  return (
    <>
      {shown.map(({ field, before, after, before_record, after_record }) =>
        field === "image" ? (
          // Its values are checksums.
          <Text key={field} size="sm">
            {t("asset.photo")}
          </Text>
        ) : (
          <Text key={field} size="sm" className="wrap" lineClamp={3}>
            <Text span c="dimmed" size="sm">
              {labelOf(field)}:
            </Text>{" "}
            {before_record?.name ?? before ?? "–"} → {after_record?.name ?? after ?? "–"}
          </Text>
        ),
      )}
      {told.length > shown.length && (
        <Button variant="subtle" size="compact-xs" onClick={() => setWhole(true)}>
          {t("asset.moreChanges", { count: told.length - shown.length })}
        </Button>
      )}
    </>
  );
}

const shared = {
  name: "assets.name",
  number: "assets.number",
  category_id: "assets.category",
  department_id: "assets.department",
  location_id: "assets.location",
  custodian_id: "assets.custodian",
  status_id: "assets.status",
} as const;

/** The name of a field of an asset, as forms have it. A newer server may have fields that this page does not know. */
function useFieldLabel(): (field: string) => string {
  const { t, i18n } = useTranslation();
  const custom = new Map((useTenant()?.custom_fields ?? []).map(({ key, label }) => [key, label]));
  return (field) => {
    if (field.startsWith("custom_fields.")) {
      const key = field.slice("custom_fields.".length);
      return custom.get(key) ?? key;
    }
    if (field in shared) return t(shared[field as keyof typeof shared]);
    return i18n.exists(`asset.${field}`) ? t(`asset.${field}` as "asset.cost") : field.replaceAll("_", " ");
  };
}
