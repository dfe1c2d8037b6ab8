import { Alert, Button, Group, Progress, Text } from "@mantine/core";
import { IconAccessPoint } from "@tabler/icons-react";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { queries } from "../../../api/client.ts";
import { ActionDialog } from "../../../parts/action-dialog.tsx";
import { RecordSelect } from "../../../parts/record-select.tsx";
import { useDemo } from "../../../parts/use-demo.ts";
import { useFormat } from "../../../parts/workspace.ts";
import { useZones } from "../../../parts/zones.ts";
import { LEAVING_MS, LENGTH_MS } from "./simulated-reads.ts";
import type { Simulation } from "./use-simulation.ts";

type Props = { simulation: Simulation };

/** Plays a reader, in the demo only. */
export function SimulateButton({ simulation: { progress, start, tidy } }: Props) {
  const { t } = useTranslation();
  const demo = useDemo();
  const [asking, setAsking] = useState(false);
  useEffect(() => {
    if (demo !== undefined) void tidy();
  }, [demo, tidy]);
  if (demo === undefined) return null;
  return (
    <>
      {progress === undefined && (
        <Button
          variant="default"
          leftSection={<IconAccessPoint size={17} aria-hidden />}
          onClick={() => setAsking(true)}
        >
          {t("simulation.start")}
        </Button>
      )}
      {asking && <StartDialog start={start} onClose={() => setAsking(false)} />}
    </>
  );
}

/** How far the simulation is, while it runs. */
export function SimulationProgress({ simulation: { progress, stop } }: Props) {
  const { t } = useTranslation();
  const format = useFormat();
  if (progress === undefined) return null;
  const { sent, elapsedMs } = progress;
  const seconds = Math.max(0, Math.round((LENGTH_MS - elapsedMs) / 1_000));
  const time = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
  return (
    <Alert color="brand" mb="md" title={t("simulation.running")}>
      <Group justify="space-between" gap="sm">
        <Text size="sm" className="numbers" c="var(--mantine-color-text)">
          {t("simulation.sent", { count: sent, shown: format.number(sent) })} ·{" "}
          {t("simulation.left", { time })}
        </Text>
        <Button size="xs" variant="default" onClick={stop}>
          {t("simulation.stop")}
        </Button>
      </Group>
      {elapsedMs >= LENGTH_MS - LEAVING_MS && (
        <Text size="sm" c="var(--mantine-color-text)">
          {t("simulation.leaving")}
        </Text>
      )}
      <Progress
        value={(100 * elapsedMs) / LENGTH_MS}
        size="sm"
        mt="xs"
        aria-label={t("simulation.running")}
      />
    </Alert>
  );
}

const MAX_TAGS = 8;

type StartProps = { start: Simulation["start"]; onClose: () => void };

function StartDialog({ start, onClose }: StartProps) {
  const { t } = useTranslation();
  const zones = useZones();
  const [zone, setZone] = useState<string | null>(null);
  const zoneId = zone ?? zones[0]?.id ?? null;
  const tags = queries.useQuery("get", "/tags", {
    params: { query: { type: "rfid", assigned: true, per_page: MAX_TAGS } },
  });
  const epcs = (tags.data?.data ?? []).flatMap(({ epc }) => epc ?? []);
  const hasNoTags = tags.isSuccess && epcs.length === 0;
  return (
    <ActionDialog
      title={t("simulation.title")}
      submit={t("simulation.begin")}
      done={t("simulation.running")}
      changes={["/readers", "/zones"]}
      disabled={zoneId === null || epcs.length === 0}
      onClose={onClose}
      action={async () => {
        if (zoneId !== null) await start({ name: t("simulation.reader"), zoneId, epcs });
      }}
    >
      <Text size="sm">{t("simulation.text")}</Text>
      <RecordSelect
        label={t("simulation.zone")}
        required
        clearable={false}
        choices={zones}
        value={zoneId}
        onChange={setZone}
      />
      {zones.length === 0 && <Alert color="yellow">{t("live.noZonesText")}</Alert>}
      {hasNoTags && <Alert color="yellow">{t("simulation.noTags")}</Alert>}
    </ActionDialog>
  );
}
