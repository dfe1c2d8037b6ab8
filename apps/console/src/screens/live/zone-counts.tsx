import { Group, Paper, Stack, Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import type { Schemas } from "../../api/client.ts";
import { useFormat } from "../../parts/workspace.ts";
import classes from "./zone-counts.module.css";

type Props = { zones: readonly Schemas["ZonePresence"][]; chosen: string | undefined };

/** How many are in each zone now. One looks into a zone by a click. */
export function ZoneCounts({ zones, chosen }: Props) {
  const { t } = useTranslation();
  const format = useFormat();
  return (
    <Stack gap="xs" className={classes.list}>
      {zones.map(({ zone_id, name, assets, unknown }) => (
        <Paper
          key={zone_id}
          withBorder
          p="sm"
          className={classes.zone}
          renderRoot={(props) => (
            <Link
              {...props}
              to="/live"
              search={{ zone: zone_id }}
              replace
              resetScroll={false}
              activeProps={{}}
              aria-current={zone_id === chosen ? "true" : undefined}
            />
          )}
        >
          <Group justify="space-between" wrap="nowrap" gap="sm">
            <div style={{ minWidth: 0 }}>
              <Text size="sm" fw={600} className="cut" title={name}>
                {name}
              </Text>
              <Text size="xs" c="dimmed">
                {t("live.assets", { count: assets, shown: format.number(assets) })}
                {unknown > 0 && ` · ${t("live.unknown", { count: unknown, shown: format.number(unknown) })}`}
              </Text>
            </div>
            <Text size="xl" fw={650} className="numbers" c={assets === 0 ? "dimmed" : undefined} aria-hidden>
              {format.number(assets)}
            </Text>
          </Group>
        </Paper>
      ))}
    </Stack>
  );
}
