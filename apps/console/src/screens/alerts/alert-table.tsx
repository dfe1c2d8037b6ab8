import { Badge, Button, Group, Stack, Table, Text, VisuallyHidden } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { Schemas } from "../../api/client.ts";
import { Ago } from "../../parts/ago.tsx";
import { subjectOf } from "../../parts/alert-subject.ts";
import { SelectAllCell, SelectCell, type Selection } from "../../parts/selection.tsx";
import { SubjectLink } from "../../parts/subject-link.tsx";
import { useFormat } from "../../parts/workspace.ts";
import { CloneEvidence } from "./clone-evidence.tsx";
import { useAlertAction } from "./use-alerts.ts";

type Alert = Schemas["Alert"];

const colours = { open: "red", acknowledged: "yellow", resolved: "gray" } as const;

type Props = {
  alerts: readonly Alert[];
  /** Undefined if the user may not change alerts. */
  selection: Selection<Alert> | undefined;
};

/** Alerts as rows. Where its columns do not fit, they are below the name. */
export function AlertTable({ alerts, selection }: Props) {
  const { t } = useTranslation();
  return (
    <Table layout="fixed">
      <Table.Thead>
        <Table.Tr>
          <SelectAllCell selection={selection} label={t("assets.selectAll")} />
          <Table.Th>{t("alerts.subject")}</Table.Th>
          <Table.Th w={130} visibleFrom="lg">
            {t("alerts.state")}
          </Table.Th>
          <Table.Th w="18%" visibleFrom="lg">
            {t("alerts.where")}
          </Table.Th>
          <Table.Th w={170} visibleFrom="lg">
            {t("alerts.seen")}
          </Table.Th>
          {selection && (
            <Table.Th w={220} visibleFrom="lg">
              <VisuallyHidden>{t("action.more")}</VisuallyHidden>
            </Table.Th>
          )}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {alerts.map((alert) => (
          <Table.Tr key={alert.id} data-selected={selection?.has(alert.id) || undefined}>
            <SelectCell
              selection={selection}
              id={alert.id}
              label={t("alerts.select", { name: subjectOf(t, alert) })}
            />
            <Table.Td>
              <Stack gap={2} miw={0}>
                <SubjectLink alert={alert} />
                <Text size="xs" c="dimmed" className="cut" title={alert.rule_name ?? undefined}>
                  {alert.rule_name ?? alert.rule_id}
                </Text>
                <Group gap={6} hiddenFrom="lg" wrap="nowrap">
                  <State alert={alert} />
                  <Text size="xs" c="dimmed" className="cut">
                    {alert.last_at && <Ago at={alert.last_at} />}
                    {whereOf(alert) && ` · ${whereOf(alert)}`}
                  </Text>
                </Group>
                <CloneEvidence alert={alert} />
                {selection && (
                  <Group gap={6} hiddenFrom="lg" mt={4}>
                    <Actions alert={alert} />
                  </Group>
                )}
              </Stack>
            </Table.Td>
            <Table.Td visibleFrom="lg">
              <State alert={alert} />
            </Table.Td>
            <Table.Td visibleFrom="lg" className="cut" title={whereOf(alert)}>
              {whereOf(alert)}
            </Table.Td>
            <Table.Td visibleFrom="lg">
              <Times alert={alert} />
            </Table.Td>
            {selection && (
              <Table.Td visibleFrom="lg">
                <Group gap={6} justify="flex-end" wrap="nowrap">
                  <Actions alert={alert} />
                </Group>
              </Table.Td>
            )}
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

const whereOf = ({ zone, reader }: Alert): string | undefined => zone?.name ?? reader?.name;

/** The state, and who brought it about. */
function State({ alert }: { alert: Alert }) {
  const { t } = useTranslation();
  const { status, resolved_by, resolved_by_user, acknowledged_by_user } = alert;
  const by = {
    open: undefined,
    acknowledged: acknowledged_by_user && t("alerts.acknowledgedBy", { name: acknowledged_by_user.name }),
    resolved: resolved_by_user
      ? t("alerts.resolvedBy", { name: resolved_by_user.name })
      : resolved_by && t("alerts.itself"),
  }[status];
  return (
    <Badge
      variant="light"
      color={colours[status]}
      c="var(--mantine-color-text)"
      tt="none"
      fw={550}
      flex="none"
      title={by ?? undefined}
    >
      {t(`alerts.${status}`)}
    </Badge>
  );
}

function Times({ alert: { last_at, first_at, count } }: { alert: Alert }) {
  const { t } = useTranslation();
  const format = useFormat();
  return (
    <Stack gap={0}>
      <Text size="sm">{last_at && <Ago at={last_at} />}</Text>
      <Text size="xs" c="dimmed" className="cut">
        {t("alerts.times", { count })}
        {count > 1 && first_at && `, ${t("alerts.first", { when: format.ago(first_at) })}`}
      </Text>
    </Stack>
  );
}

function Actions({ alert }: { alert: Alert }) {
  const { t } = useTranslation();
  const name = subjectOf(t, alert);
  const action = useAlertAction();
  if (alert.status === "resolved") return null;
  return (
    <>
      {alert.status === "open" && (
        <Button
          size="compact-sm"
          variant="default"
          aria-label={`${t("alerts.acknowledge")}: ${name}`}
          disabled={action.isPending}
          onClick={() => action.mutate({ alerts: [alert], action: "ack" })}
        >
          {t("alerts.acknowledge")}
        </Button>
      )}
      <Button
        size="compact-sm"
        variant="default"
        aria-label={`${t("alerts.resolve")}: ${name}`}
        disabled={action.isPending}
        onClick={() => action.mutate({ alerts: [alert], action: "resolve" })}
      >
        {t("alerts.resolve")}
      </Button>
    </>
  );
}
