import { Alert, Card, Grid, Text, Title } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { queries } from "../../api/client.ts";
import { reasonOf } from "../../parts/notify.tsx";
import { Empty, Failed, Loading } from "../../parts/states.tsx";
import { AlertStream } from "./alert-stream.tsx";
import type { LiveSearch } from "./live-search.ts";
import { PresentTags } from "./present-tags.tsx";
import { ZoneCounts } from "./zone-counts.tsx";

/** Reads are not in the feed. While the page is hidden, nothing is read. */
const EVERY_MS = 5_000;

/** The zones with who and what is in them, and the alerts as they come. */
export function Now({ search }: { search: LiveSearch }) {
  const { t } = useTranslation();
  const found = queries.useQuery("get", "/zones/presence", {}, { refetchInterval: EVERY_MS, staleTime: 0 });
  if (found.isPending) return <Loading />;
  if (found.isError && found.data === undefined)
    return <Failed error={found.error} retry={() => void found.refetch()} />;
  const zones = found.data?.data ?? [];
  // Without a choice, the first zone with something in it is shown.
  const chosen =
    zones.find(({ zone_id }) => zone_id === search.zone) ??
    zones.find(({ assets, unknown }) => assets + unknown > 0) ??
    zones[0];
  return (
    <Grid gap="md">
      <Grid.Col span={{ base: 12, sm: 5, lg: 3 }}>
        <Title order={2} size="h5" mb="xs">
          {t("live.counts")}
        </Title>
        {(found.isError || found.isPaused) && (
          <Alert color="yellow" mb="xs">
            <Text size="sm" fw={600}>
              {t("live.oldTitle")}
            </Text>
            {found.isError ? reasonOf(found.error) : t("state.network")}
          </Alert>
        )}
        {zones.length === 0 ? (
          <Card withBorder>
            <Empty title={t("live.noZonesTitle")} text={t("live.noZonesText")} />
          </Card>
        ) : (
          <ZoneCounts zones={zones} chosen={chosen?.zone_id} />
        )}
      </Grid.Col>
      <Grid.Col span={{ base: 12, sm: 7, lg: 5 }}>
        {chosen === undefined ? (
          <Text c="dimmed" size="sm">
            {t("live.chooseZone")}
          </Text>
        ) : (
          <PresentTags key={chosen.zone_id} zone={chosen} everyMs={EVERY_MS} />
        )}
      </Grid.Col>
      <Grid.Col span={{ base: 12, lg: 4 }}>
        <AlertStream />
      </Grid.Col>
    </Grid>
  );
}
