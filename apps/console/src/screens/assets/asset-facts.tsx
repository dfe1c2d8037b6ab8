import { Badge, Card, Group, Progress, Stack, Text } from "@mantine/core";
import { IconCoin, IconMapPin, IconUser } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { Schemas } from "../../api/client.ts";
import { Ago } from "../../parts/ago.tsx";
import { useFormat } from "../../parts/workspace.ts";

/** The three questions that an asset register answers: where, who, and how much. */
export function AssetFacts({ asset }: { asset: Schemas["Asset"] }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { last_seen, current_checkout: checkout, cost, nbv, accumulated_depreciation: depreciated } = asset;
  return (
    <Card withBorder padding="md">
      <Stack gap="md">
        <Fact icon={<IconMapPin size={20} stroke={1.5} />} label={t("asset.where")}>
          <Text fw={600} className="wrap">
            {asset.location?.name ?? t("asset.nowhere")}
          </Text>
          {last_seen?.at && (
            <Text size="xs" c="dimmed" className="wrap">
              {t("asset.lastSeen")} <Ago at={last_seen.at} />
              {last_seen.zone?.name && ` · ${last_seen.zone.name}`}
            </Text>
          )}
        </Fact>
        <Fact icon={<IconUser size={20} stroke={1.5} />} label={t("asset.who")}>
          <Text fw={600} className="wrap">
            {checkout?.issued_to_name ?? asset.custodian?.name ?? t("asset.nobody")}
          </Text>
          {checkout?.due_at && (
            <Group gap={6}>
              <Text size="xs" c="dimmed">
                {t("asset.due", { when: format.date(checkout.due_at) })}
              </Text>
              {checkout.overdue && (
                <Badge size="sm" color="red" variant="light" c="var(--mantine-color-text)" tt="none">
                  {t("asset.overdue")}
                </Badge>
              )}
            </Group>
          )}
        </Fact>
        {cost !== null && (
          <Fact icon={<IconCoin size={20} stroke={1.5} />} label={t("asset.worth")}>
            <Text fw={600} className="numbers">
              {format.money(nbv ?? cost)}
            </Text>
            {depreciated !== null && cost > 0 && (
              <>
                <Progress
                  value={(100 * (cost - depreciated)) / cost}
                  size="sm"
                  my={4}
                  aria-label={t("asset.nbv")}
                />
                <Text size="xs" c="dimmed">
                  {t("asset.depreciated", { amount: format.money(depreciated) })}
                </Text>
              </>
            )}
          </Fact>
        )}
      </Stack>
    </Card>
  );
}

function Fact({ icon, label, children }: { icon: ReactNode; label: string; children: ReactNode }) {
  return (
    <Group wrap="nowrap" align="flex-start" gap="sm">
      <Text c="var(--mantine-primary-color-light-color)" lh={1} mt={2} aria-hidden>
        {icon}
      </Text>
      <Stack gap={1} miw={0} flex={1}>
        <Text size="xs" c="dimmed">
          {label}
        </Text>
        {children}
      </Stack>
    </Group>
  );
}
