import { BarChart } from "@mantine/charts";
import "@mantine/charts/styles.css";
import { Card, Title } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { queries } from "../../api/client.ts";
import { useFormat } from "../../parts/workspace.ts";

const DAYS = 30;
const DAY_MS = 86_400_000;

const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

/** How many movements each of the last days had. */
export function MovementsChart() {
  const { t } = useTranslation();
  const format = useFormat();
  const now = Date.now();
  const query = { by: "day", from: dayOf(now - DAYS * DAY_MS), to: dayOf(now) } as const;
  const { data } = queries.useQuery("get", "/reports/value", { params: { query } });
  const byDay = new Map<string, number>();
  for (const { date, movements } of data?.data ?? []) byDay.set(date, (byDay.get(date) ?? 0) + movements);
  const rows = [...byDay].map(([date, movements]) => ({ date: format.day(date), movements }));
  // One day is no chart.
  if (rows.length < 2) return null;
  return (
    <Card withBorder padding="md">
      <Title order={2} size="h5" mb="sm">
        {t("home.movementsADay")}
      </Title>
      <BarChart
        h={150}
        data={rows}
        dataKey="date"
        series={[{ name: "movements", label: t("home.movementsADay"), color: "brand.6" }]}
        withYAxis={false}
      />
    </Card>
  );
}
