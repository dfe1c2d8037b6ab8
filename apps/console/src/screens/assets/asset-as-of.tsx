import { Card, Group, SimpleGrid, Text, TextInput } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { queries, type Schemas } from "../../api/client.ts";
import { ApiError } from "../../api/problem.ts";
import { Failed, Loading } from "../../parts/states.tsx";
import { useTenant } from "../../parts/workspace.ts";
import { instantOf, localTime } from "../../parts/zoned-time.ts";

const LAST_MINUTE_MS = 59_999;

/** Chooses a day, and shows where the asset was at its end, who had it, and its status. */
export function AssetAsOf({ asset, day }: { asset: Schemas["Asset"]; day: string | undefined }) {
  const { t } = useTranslation();
  const navigate = useNavigate({ from: "/assets/$id" });
  const timeZone = useTenant()?.workspace.time_zone;
  const choose = (next: string): void =>
    void navigate({ search: { tab: "history", ...(next && { day: next }) }, replace: true });
  return (
    <Card withBorder padding="md" mb="md">
      <Group gap="md" align="flex-end">
        <TextInput
          type="date"
          label={t("asOf.label")}
          w={190}
          {...(timeZone && { max: localTime(Date.now(), timeZone).slice(0, 10) })}
          value={day ?? ""}
          onChange={(event) => choose(event.currentTarget.value)}
        />
        {day && timeZone && <StateOn asset={asset} day={day} timeZone={timeZone} />}
      </Group>
    </Card>
  );
}

type OnDay = { asset: Schemas["Asset"]; day: string; timeZone: string };

function StateOn({ asset, day, timeZone }: OnDay) {
  const end = Date.parse(instantOf(`${day}T23:59`, timeZone)) + LAST_MINUTE_MS;
  // The API refuses an instant that is later than its own clock. At the end of today the asset is as it is now.
  if (end >= Date.now()) return <Current asset={asset} />;
  return <Past asset={asset} instant={new Date(end).toISOString()} />;
}

function Current({ asset }: { asset: Schemas["Asset"] }) {
  const status = useTenant()?.statuses.find(({ id }) => id === asset.status_id);
  return <Position {...asset} status={status} />;
}

function Past({ asset, instant }: { asset: Schemas["Asset"]; instant: string }) {
  const { t } = useTranslation();
  const query = { as_of: instant, expand: ["location" as const, "custodian" as const, "status" as const] };
  const found = queries.useQuery("get", "/assets/{id}", { params: { path: { id: asset.id }, query } });
  if (found.isPending) return <Loading />;
  if (found.error instanceof ApiError && found.error.status === 404)
    return (
      <Text size="sm" c="dimmed">
        {t("asOf.before")}
      </Text>
    );
  // The clock of the computer is ahead, and the day has not ended for the API.
  if (found.error instanceof ApiError && found.error.status === 422) return <Current asset={asset} />;
  if (found.isError) return <Failed error={found.error} retry={() => void found.refetch()} />;
  // With `as_of` the answer is where it was.
  return <Position {...(found.data as Schemas["AssetPosition"])} />;
}

type Named = { name: string | null } | null | undefined;

function Position({ location, custodian, status }: { location?: Named; custodian?: Named; status?: Named }) {
  const { t } = useTranslation();
  const rows = [
    [t("assets.location"), location?.name ?? t("asset.nowhere")],
    [t("assets.custodian"), custodian?.name ?? t("asset.nobody")],
    [t("assets.status"), status?.name ?? "–"],
  ] as const;
  return (
    <SimpleGrid cols={3} spacing="md" component="dl" m={0} flex="1 1 240px">
      {rows.map(([label, value]) => (
        <div key={label}>
          <Text size="xs" c="dimmed" component="dt">
            {label}
          </Text>
          <Text size="sm" fw={550} className="wrap" component="dd" m={0}>
            {value}
          </Text>
        </div>
      ))}
    </SimpleGrid>
  );
}
