import { Anchor, Badge, Box, Card, Group, Stack, Text, Title } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { queries } from "../../api/client.ts";
import { Ago } from "../../parts/ago.tsx";
import { Failed, Loading } from "../../parts/states.tsx";
import { SubjectLink } from "../../parts/subject-link.tsx";

const SHOWN = 10;

/** The newest alerts. The feed brings them. */
export function AlertStream() {
  const { t } = useTranslation();
  const found = queries.useQuery("get", "/alerts", {
    params: { query: { per_page: SHOWN, sort: "-id", expand: ["asset", "zone", "reader"] } },
  });
  return (
    <>
      <Group justify="space-between" mb="xs">
        <Title order={2} size="h5">
          {t("live.alerts")}
        </Title>
        <Anchor size="sm" renderRoot={(props) => <Link {...props} to="/alerts" search={{ state: "all" }} />}>
          {t("live.allAlerts")}
        </Anchor>
      </Group>
      <Card withBorder padding="sm">
        {found.isPending && <Loading />}
        {found.isError && <Failed error={found.error} retry={() => void found.refetch()} />}
        {found.data?.data.length === 0 && <Text c="dimmed">{t("live.noAlerts")}</Text>}
        <Stack gap="sm">
          {found.data?.data.map((alert) => (
            <Group key={alert.id} justify="space-between" wrap="nowrap" gap="sm">
              <Box miw={0}>
                <SubjectLink alert={alert} />
                <Text size="xs" c="dimmed" className="cut">
                  {[alert.rule_name, alert.zone?.name ?? alert.reader?.name].filter(Boolean).join(" · ")}
                </Text>
              </Box>
              <Stack gap={2} align="flex-end" flex="none">
                <Text size="xs" c="dimmed">
                  {alert.last_at && <Ago at={alert.last_at} />}
                </Text>
                {alert.status === "open" && (
                  <Badge
                    size="sm"
                    variant="light"
                    color="red"
                    c="var(--mantine-color-text)"
                    tt="none"
                    fw={550}
                  >
                    {t("alerts.open")}
                  </Badge>
                )}
              </Stack>
            </Group>
          ))}
        </Stack>
      </Card>
    </>
  );
}
