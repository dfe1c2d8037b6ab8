import { Card, Group, Progress, Stack, Text, Title } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { queries } from "../../api/client.ts";
import { useFormat } from "../../parts/workspace.ts";

const SHOWN = 8;

/** The net book value of each category as posted, the largest first. */
export function ValueByCategory() {
  const { t } = useTranslation();
  const format = useFormat();
  const { data } = queries.useQuery("get", "/reports/value", {
    params: { query: { by: "category", expand: ["category"] } },
  });
  const rows = (data?.data ?? []).toSorted((a, b) => (b.nbv ?? 0) - (a.nbv ?? 0)).slice(0, SHOWN);
  const most = Math.max(1, ...rows.map(({ nbv }) => nbv ?? 0));
  return (
    <Card withBorder padding="md">
      <Title order={2} size="h5">
        {t("home.value")}
      </Title>
      <Text size="xs" c="dimmed" mb="md">
        {t("home.valueHint")}
      </Text>
      {data !== undefined && rows.every(({ nbv }) => !nbv) && (
        <Text size="sm" c="dimmed">
          {t("home.noValue")}
        </Text>
      )}
      <Stack gap="sm">
        {rows.map(({ category_id, category, nbv, count }) => {
          const name = category_id ? (category?.name ?? category_id) : t("home.uncategorised");
          return (
            <div key={category_id ?? ""}>
              <Group justify="space-between" wrap="nowrap" gap="xs" mb={4}>
                <Text size="sm" className="cut">
                  {name}{" "}
                  <Text span size="xs" c="dimmed">
                    {format.number(count)}
                  </Text>
                </Text>
                <Text size="sm" fw={550} className="numbers" flex="none">
                  {format.money(nbv ?? 0)}
                </Text>
              </Group>
              <Progress value={(100 * (nbv ?? 0)) / most} size="sm" aria-label={name} />
            </div>
          );
        })}
      </Stack>
    </Card>
  );
}
