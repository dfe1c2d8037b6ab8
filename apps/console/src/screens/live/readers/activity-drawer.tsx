import { BarChart } from "@mantine/charts";
import "@mantine/charts/styles.css";
import { Drawer, Select, Stack, Text, Title } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { queries } from "../../../api/client.ts";
import { Failed, Loading } from "../../../parts/states.tsx";
import { useFormat } from "../../../parts/workspace.ts";
import { type Range, ranges } from "../live-search.ts";
import { ReaderReads } from "./reader-reads.tsx";
import { useActivity } from "./use-activity.ts";
import { WeekMap } from "./week-map.tsx";

type Props = { id: string; range: Range; onRange: (range: Range) => void; onClose: () => void };

/** The events of a reader over time, reasons of rejections, and its reads. */
export function ActivityDrawer({ id, range, onRange, onClose }: Props) {
  const { t } = useTranslation();
  const found = queries.useQuery("get", "/readers/{id}", { params: { path: { id } } });
  return (
    <Drawer
      opened
      onClose={onClose}
      position="right"
      size="lg"
      title={`${t("readers.activity")}: ${found.data?.name ?? id}`}
      classNames={{ title: "cut" }}
    >
      {found.isPending && <Loading />}
      {found.isError && <Failed error={found.error} retry={() => void found.refetch()} />}
      {found.data && (
        <Stack>
          <Select
            label={t("readers.range")}
            data={ranges.map((value) => ({ value, label: t(`readers.${value}`) }))}
            value={range}
            onChange={(next) => next && onRange(next as Range)}
            allowDeselect={false}
            data-autofocus
          />
          <Chart id={id} range={range} />
          <Health {...found.data} />
          <Title order={3} size="h5">
            {t("readers.weekMap")}
          </Title>
          <WeekMap id={id} />
          <Title order={3} size="h5">
            {t("readers.reads")}
          </Title>
          <ReaderReads key={range} id={id} range={range} />
        </Stack>
      )}
    </Drawer>
  );
}

function Chart({ id, range }: { id: string; range: Range }) {
  const { t } = useTranslation();
  const format = useFormat();
  const found = useActivity(id, range);
  const rows = (found.data ?? []).map(({ at, ...counts }) => ({ at: format.time(at), ...counts }));
  const isEmpty = rows.every(({ accepted, rejected, duplicate }) => accepted + rejected + duplicate === 0);
  if (found.isPending) return <Loading />;
  if (found.isError) return <Failed error={found.error} retry={() => void found.refetch()} />;
  if (isEmpty) return <Text c="dimmed">{t("readers.noActivity")}</Text>;
  return (
    <BarChart
      h={240}
      data={rows}
      dataKey="at"
      type="stacked"
      withLegend
      series={[
        { name: "accepted", label: t("readers.acceptedName"), color: "brand.6" },
        { name: "duplicate", label: t("readers.duplicate"), color: "gray.5" },
        { name: "rejected", label: t("readers.rejectedName"), color: "red.6" },
      ]}
    />
  );
}

type HealthProps = { events_per_minute: number; rejected_by_code: Record<string, number> };

function Health({ events_per_minute, rejected_by_code }: HealthProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const rejected = Object.entries(rejected_by_code);
  return (
    <>
      <Text size="sm">{t("readers.perMinute", { count: Number(events_per_minute.toFixed(1)) })}</Text>
      {rejected.length > 0 && (
        <Text size="sm" className="wrap">
          {t("readers.rejectedByCode")}:{" "}
          {rejected.map(([code, count]) => `${code} ${format.number(count)}`).join(", ")}
        </Text>
      )}
    </>
  );
}
