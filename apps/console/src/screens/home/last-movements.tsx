import { Anchor, Card, Group, Stack, Text, Title } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { queries } from "../../api/client.ts";
import { Ago } from "../../parts/ago.tsx";

/** Where assets went last. */
export function LastMovements() {
  const { t } = useTranslation();
  const { data } = queries.useQuery("get", "/movements", {
    params: { query: { per_page: 6, sort: "-id", expand: ["asset", "location", "custodian"] } },
  });
  const rows = data?.data ?? [];
  return (
    <Card withBorder padding="md">
      <Title order={2} size="h5" mb="xs">
        {t("home.movements")}
      </Title>
      {data !== undefined && rows.length === 0 && (
        <Text size="sm" c="dimmed">
          {t("home.noMovements")}
        </Text>
      )}
      <Stack gap="xs">
        {rows.map((row) => (
          <Group key={row.id} justify="space-between" wrap="nowrap" gap="sm">
            <div style={{ minWidth: 0 }}>
              <Anchor
                renderRoot={(props) => <Link {...props} to="/assets/$id" params={{ id: row.asset_id }} />}
                size="sm"
                className="cut"
                display="block"
              >
                {row.asset?.name ?? row.asset_id}
              </Anchor>
              <Text size="xs" c="dimmed" className="cut">
                {row.from_location?.name ?? t("asset.nowhere")} →{" "}
                {row.to_location?.name ?? t("asset.nowhere")}
                {row.to_custodian && ` · ${row.to_custodian.name}`}
              </Text>
            </div>
            <Text size="xs" c="dimmed" flex="none">
              {row.at && <Ago at={row.at} />}
            </Text>
          </Group>
        ))}
      </Stack>
    </Card>
  );
}
