import { AreaChart } from "@mantine/charts";
import "@mantine/charts/styles.css";
import { Badge, Button, Card, Group, SegmentedControl, Stack, Table, Text, Title } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { queries, type Schemas } from "../../api/client.ts";
import { Failed, Loading } from "../../parts/states.tsx";
import { useFormat, useTenant } from "../../parts/workspace.ts";
import { localTime } from "../../parts/zoned-time.ts";

type Book = Schemas["BookDepreciation"];

/** The value of an asset over time, as chart and table, with the derivation of each amount. */
export function AssetDepreciation({ id }: { id: string }) {
  const { t } = useTranslation();
  const [chosen, setChosen] = useState<Book["book"]>();
  const found = queries.useQuery("get", "/assets/{id}/depreciation", { params: { path: { id } } });
  if (found.isPending) return <Loading />;
  if (found.isError) return <Failed error={found.error} retry={() => void found.refetch()} />;
  const books = found.data.books.filter(({ profile, lines }) => profile !== null || lines.length > 0);
  const book = books.find((one) => one.book === chosen) ?? books[0];
  if (book === undefined) return <Text c="dimmed">{t("depr.none")}</Text>;
  return (
    <Stack>
      {books.length > 1 && (
        <SegmentedControl
          aria-label={t("depr.books")}
          data={books.map(({ book: value }) => ({ value, label: t(`depr.${value}`) }))}
          value={book.book}
          onChange={(value) => setChosen(value as Book["book"])}
        />
      )}
      <Profile book={book} />
      {book.lines.length > 1 && <Chart lines={book.lines} />}
      <Lines key={book.book} lines={book.lines} />
    </Stack>
  );
}

function Profile({ book: { profile, nbv } }: { book: Book }) {
  const { t } = useTranslation();
  const format = useFormat();
  const facts = [
    profile && t(`method.${profile.method}`),
    profile && t(`convention.${profile.convention}`),
    profile?.life_months && t("depr.months", { count: profile.life_months }),
    profile && t("depr.from", { date: format.day(profile.in_service_date) }),
  ];
  return (
    <div>
      {nbv !== null && (
        <Title order={2} size="h4" className="numbers">
          {format.money(nbv)}
        </Title>
      )}
      <Text size="sm" c="dimmed" className="wrap">
        {facts.filter(Boolean).join(" · ")}
      </Text>
    </div>
  );
}

type Lines = { lines: Book["lines"] };

function Chart({ lines }: Lines) {
  const { t } = useTranslation();
  const format = useFormat();
  const rows = lines.map(({ period: { year, month }, closing_nbv }) => ({
    period: format.month(year, month),
    nbv: closing_nbv,
  }));
  return (
    <Card withBorder padding="md">
      <AreaChart
        h={200}
        data={rows}
        dataKey="period"
        series={[{ name: "nbv", label: t("asset.nbv"), color: "brand.6" }]}
        curveType="linear"
        withDots={false}
        tickLine="none"
        gridAxis="none"
        valueFormatter={format.money}
        yAxisProps={{ width: 90 }}
        areaProps={{ isAnimationActive: false }}
      />
    </Card>
  );
}

/** Two years at first: a building has 600 lines. */
const SHOWN = 24;

/** "2026-01", which sorts as text. */
const monthOf = ({ year, month }: Book["lines"][number]["period"]): string =>
  `${year}-${String(month).padStart(2, "0")}`;

function Lines({ lines }: Lines) {
  const { t } = useTranslation();
  const format = useFormat();
  const timeZone = useTenant()?.workspace.time_zone ?? "UTC";
  const currentMonth = localTime(Date.now(), timeZone).slice(0, "2026-01".length);
  const [shown, setShown] = useState(SHOWN);
  if (lines.length === 0) return <Text c="dimmed">{t("depr.noLines")}</Text>;
  return (
    <Card withBorder padding={0}>
      <Table layout="auto">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t("depr.period")}</Table.Th>
            <Table.Th ta="right" visibleFrom="sm">
              {t("depr.opening")}
            </Table.Th>
            <Table.Th ta="right">{t("depr.amount")}</Table.Th>
            <Table.Th ta="right">{t("depr.closing")}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {lines.slice(0, shown).map((line) => (
            <Table.Tr key={`${line.period.year}-${line.period.month}-${line.kind}-${line.opening_nbv}`}>
              <Table.Td>
                <Group gap={6}>
                  <Text size="sm">{format.month(line.period.year, line.period.month)}</Text>
                  {line.kind !== "charge" && (
                    <Badge size="xs" variant="default" tt="none">
                      {t(`deprKind.${line.kind}`)}
                    </Badge>
                  )}
                  {line.status === "forecast" && (
                    <Text size="xs" c="dimmed">
                      {t(monthOf(line.period) < currentMonth ? "depr.notPosted" : "depr.forecast")}
                    </Text>
                  )}
                </Group>
                <Text size="xs" c="dimmed" className="wrap">
                  {line.derivation}
                </Text>
              </Table.Td>
              <Table.Td ta="right" className="numbers" visibleFrom="sm">
                {format.money(line.opening_nbv)}
              </Table.Td>
              <Table.Td ta="right" className="numbers">
                {format.money(line.amount)}
              </Table.Td>
              <Table.Td ta="right" className="numbers">
                {format.money(line.closing_nbv)}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      {lines.length > shown && (
        <Group justify="center" p="xs">
          <Button variant="subtle" size="xs" onClick={() => setShown(shown + 5 * SHOWN)}>
            {t("assets.more")}
          </Button>
        </Group>
      )}
    </Card>
  );
}
