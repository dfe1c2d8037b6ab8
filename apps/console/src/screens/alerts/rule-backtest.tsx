import { Alert, Button, Stack, Table, Text } from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { api, type Schemas } from "../../api/client.ts";
import { shortEpc } from "../../parts/short-epc.ts";
import { useFormat } from "../../parts/workspace.ts";
import { backtestRuleOf, type RuleValues } from "./rule-values.ts";

type Backtest = Schemas["Backtest"];

const POLL_MS = 1_000;
const UNKNOWN_TAG = "epc:";

/** Says how often the rule of a form would have rung, before anybody is woken by it. */
export function RuleBacktest({ values }: { values: RuleValues }) {
  const { t } = useTranslation();
  const rule = backtestRuleOf(values);
  const tried = useMutation({
    mutationFn: async (wanted: NonNullable<typeof rule>) => {
      const { data } = await api.POST("/alert-rules/backtest", { body: { rule: wanted } });
      return data;
    },
  });
  const id = tried.data?.id ?? "";
  const { data: backtest } = useQuery({
    queryKey: ["get", "/alert-rules/backtests/{id}", id],
    queryFn: async ({ signal }) => {
      const params = { path: { id }, query: { expand: ["asset" as const] } };
      return (await api.GET("/alert-rules/backtests/{id}", { params, signal })).data;
    },
    enabled: id !== "",
    refetchInterval: ({ state }) => (state.data?.status === "running" ? POLL_MS : false),
  });
  if (rule === undefined) return null;
  const isOld = tried.variables !== undefined && JSON.stringify(tried.variables) !== JSON.stringify(rule);
  return (
    <Stack gap="xs">
      <Button
        variant="default"
        loading={tried.isPending || backtest?.status === "running"}
        onClick={() => tried.mutate(rule)}
      >
        {t("backtest.try")}
      </Button>
      <Text size="xs" c="dimmed">
        {t("backtest.hint")}
      </Text>
      <div aria-live="polite">
        {tried.error && <Alert color="red">{t("backtest.failed", { message: tried.error.message })}</Alert>}
        {backtest && <Outcome backtest={backtest} />}
        {backtest && isOld && (
          <Text size="sm" mt="xs">
            {t("backtest.changed")}
          </Text>
        )}
      </div>
    </Stack>
  );
}

function Outcome({ backtest }: { backtest: Backtest }) {
  const { t } = useTranslation();
  const format = useFormat();
  const {
    status,
    progress,
    alerts,
    spared_by_cooldown: spared,
    days,
    subjects,
    as_of_today,
    error,
  } = backtest;
  if (status === "running") return <Text size="sm">{t("backtest.running", progress)}</Text>;
  if (status === "failed")
    return <Alert color="red">{t("backtest.failed", { message: error?.message ?? "" })}</Alert>;
  const [most] = subjects;
  const counted = (key: "rung" | "most" | "spared", count: number, more: object = {}) =>
    t(`backtest.${key}`, { count, shown: format.number(count), ...more });
  const sentences = [
    alerts === 0 ? t("backtest.none") : counted("rung", alerts),
    most && alerts > 1 && counted("most", most.alerts, { name: nameOf(most) }),
    spared > 0 && counted("spared", spared),
    as_of_today.length > 0 &&
      t("backtest.asOfToday", { what: as_of_today.map((one) => t(`backtest.${one}`)).join(", ") }),
  ];
  return (
    <Alert color={alerts === 0 ? "gray" : "brand"} variant="light">
      <Text size="sm" c="var(--mantine-color-text)" className="wrap">
        {sentences.filter(Boolean).join(" ")}
      </Text>
      {days.length > 0 && (
        <Table aria-label={t("backtest.perDay")} verticalSpacing={2} mt="xs" withRowBorders={false}>
          <Table.Tbody>
            {days.map(({ date, alerts: count }) => (
              <Table.Tr key={date}>
                <Table.Th fw={400}>{format.day(date)}</Table.Th>
                <Table.Td ta="right">{format.number(count)}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
    </Alert>
  );
}

function nameOf({ subject, asset, asset_id }: Backtest["subjects"][number]): string {
  if (subject.startsWith(UNKNOWN_TAG)) return shortEpc(subject.slice(UNKNOWN_TAG.length));
  return asset?.name ?? asset_id ?? subject;
}
