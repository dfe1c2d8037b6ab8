import { Alert, Anchor, Card, Group, Text, TextInput, Timeline } from "@mantine/core";
import { Link, useNavigate } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { api, type Schemas } from "../../api/client.ts";
import { useSession } from "../../api/use-session.ts";
import { PagedList } from "../../parts/paged-list.tsx";
import { usePages } from "../../parts/use-pages.ts";
import { useFormat, useTenant } from "../../parts/workspace.ts";
import { localTime } from "../../parts/zoned-time.ts";
import { type Days, spanOf } from "./seen-span.ts";

type Sighting = Schemas["AssetSighting"];

const LIST = "/assets/{id}/sightings";

/** Where readers saw an asset in some days, the newest first. */
export function AssetSeen({ id, from, to }: { id: string } & Days) {
  const { t } = useTranslation();
  const timeZone = useTenant()?.workspace.time_zone;
  const span = timeZone === undefined ? undefined : spanOf({ from, to }, timeZone);
  return (
    <>
      <Card withBorder padding="md" mb="md">
        <DaysInput from={from} to={to} timeZone={timeZone} />
      </Card>
      {span === "wrong" && <Alert color="yellow">{t("seen.wrongSpan")}</Alert>}
      {typeof span === "object" && <Sightings id={id} {...span} />}
    </>
  );
}

function DaysInput({ from, to, timeZone }: Days & { timeZone: string | undefined }) {
  const { t } = useTranslation();
  const navigate = useNavigate({ from: "/assets/$id" });
  const choose = (days: Days): void => {
    const search = { ...(days.from && { from: days.from }), ...(days.to && { to: days.to }) };
    void navigate({ search: { tab: "seen", ...search }, replace: true });
  };
  const today = timeZone && localTime(Date.now(), timeZone).slice(0, 10);
  return (
    <Group gap="md" align="flex-end" grow preventGrowOverflow={false}>
      <TextInput
        type="date"
        label={t("seen.from")}
        miw={130}
        maw={220}
        {...(today && { max: to ?? today })}
        value={from ?? ""}
        onChange={(event) => choose({ from: event.currentTarget.value, to })}
      />
      <TextInput
        type="date"
        label={t("seen.to")}
        miw={130}
        maw={220}
        {...(today && { max: today })}
        {...(from && { min: from })}
        value={to ?? ""}
        onChange={(event) => choose({ from, to: event.currentTarget.value })}
      />
    </Group>
  );
}

type Span = { from?: string | undefined; to?: string | undefined };

function Sightings({ id, from, to }: { id: string } & Span) {
  const { t } = useTranslation();
  const span = { ...(from && { from }), ...(to && { to }) };
  const found = usePages<Sighting>(LIST, `${id} ${from} ${to}`, (query, signal) =>
    api.GET(LIST, {
      params: { path: { id }, query: { ...query, ...span, expand: ["zone", "location", "reader"] } },
      signal,
    }),
  );
  // All are one timeline.
  const timelines = found.rows.length > 0 ? [found.rows] : [];
  return (
    <PagedList found={{ ...found, rows: timelines }} empty={t("seen.none")}>
      {(sightings) => (
        <Card key="sightings" withBorder padding="md">
          <Timeline bulletSize={12} lineWidth={2} active={-1}>
            {sightings.map((sighting) => (
              <Timeline.Item
                key={sighting.sequence}
                title={<TitleOf sighting={sighting} />}
                classNames={{ itemTitle: "wrap" }}
              >
                <Details sighting={sighting} />
              </Timeline.Item>
            ))}
          </Timeline>
        </Card>
      )}
    </PagedList>
  );
}

/** The event, in words. */
function TitleOf({ sighting }: { sighting: Sighting }) {
  const { t } = useTranslation();
  const { change, zone, location, from_zone, from_location, reader, unconfirmed, reason } = sighting;
  // A reader without zone and location is a place of its own.
  const place = zone?.name ?? location?.name ?? reader?.name ?? t("seen.somewhere");
  const before = from_zone?.name ?? from_location?.name ?? t("seen.somewhere");
  if (change === "moved") return t("seen.moved", { from: before, to: place });
  if (change === "left") return t(reason === null ? "seen.left" : "seen.leftUnseen", { from: before });
  if (change === "seen") return t(unconfirmed ? "seen.passed" : "seen.seen", { place });
  if (change === "cloned") return t("seen.cloned", { place });
  return t("seen.arrived", { place });
}

function Details({ sighting: { at, reader_id, reader, zone, location, rssi } }: { sighting: Sighting }) {
  const { t } = useTranslation();
  const { may } = useSession();
  const format = useFormat();
  const name = reader?.name ?? reader_id;
  const facts = [zone && location?.name, rssi !== null && `${format.number(rssi)} dBm`].filter(Boolean);
  return (
    <Text size="xs" c="dimmed" className="wrap numbers">
      <time dateTime={at}>{format.seconds(at)}</time> · {t("seen.by")}{" "}
      {may("devices") ? (
        <Anchor
          size="xs"
          underline="always"
          renderRoot={(props) => (
            <Link {...props} to="/live" search={{ tab: "readers", reader: reader_id }} />
          )}
        >
          {name}
        </Anchor>
      ) : (
        name
      )}
      {facts.length > 0 && ` · ${facts.join(" · ")}`}
    </Text>
  );
}
