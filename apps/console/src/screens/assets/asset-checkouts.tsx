import { Badge, Card, Group, Stack, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { queries } from "../../api/client.ts";
import { Failed, Loading } from "../../parts/states.tsx";
import { useFormat } from "../../parts/workspace.ts";

/** To whom an asset was issued, and how it came back. */
export function AssetCheckouts({ id }: { id: string }) {
  const { t } = useTranslation();
  const format = useFormat();
  const found = queries.useQuery("get", "/assets/{id}/checkouts", {
    params: { path: { id }, query: { per_page: 50, sort: "-id" } },
  });
  if (found.isPending) return <Loading />;
  if (found.isError) return <Failed error={found.error} retry={() => void found.refetch()} />;
  if (found.data.data.length === 0) return <Text c="dimmed">{t("asset.noCheckouts")}</Text>;
  return (
    <Stack gap="sm">
      {found.data.data.map((one) => (
        <Card key={one.id} withBorder padding="sm">
          <Group justify="space-between" wrap="nowrap">
            <Text fw={600} className="wrap">
              {one.issued_to_name}
            </Text>
            {one.status === "open" && (
              <Badge color={one.overdue ? "red" : "blue"} variant="light" tt="none">
                {one.overdue
                  ? t("asset.overdue")
                  : one.due_at
                    ? t("asset.due", { when: format.date(one.due_at) })
                    : t("asset.issuedTo")}
              </Badge>
            )}
          </Group>
          <Text size="sm" c="dimmed">
            {one.issued_at && `${t("asset.issuedAt")} ${format.time(one.issued_at)}`}
            {one.returned_at && ` · ${t("asset.returnedAt")} ${format.time(one.returned_at)}`}
          </Text>
          {[one.note, one.note_in].filter(Boolean).map((note) => (
            <Text key={note} size="sm" className="wrap">
              {note}
            </Text>
          ))}
        </Card>
      ))}
    </Stack>
  );
}
