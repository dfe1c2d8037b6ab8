import { Button, Card, Modal, SimpleGrid, Stack, Table, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import type { Schemas } from "../../api/client.ts";
import { subjectOf } from "../../parts/alert-subject.ts";
import { readRecord } from "../../parts/collections.ts";
import { useFormat } from "../../parts/workspace.ts";
import { type ClonedRead, cloneFacts, timeSpan } from "./clone-facts.ts";

/** Shows both reads of a cloned tag side by side. Nothing for other alerts. */
export function CloneEvidence({ alert }: { alert: Schemas["Alert"] }) {
  const { t, i18n } = useTranslation();
  const [opened, { open, close }] = useDisclosure();
  const facts = alert.clone && cloneFacts(alert.clone);
  if (!facts) return null;
  const { older, newer } = facts;
  const span = (seconds: number) => timeSpan(i18n.language, seconds);
  const title = t("alerts.evidenceOf", { name: subjectOf(t, alert) });
  return (
    <>
      <Button
        size="compact-xs"
        variant="default"
        style={{ alignSelf: "start" }}
        aria-label={title}
        onClick={open}
      >
        {t("alerts.evidence")}
      </Button>
      <Modal opened={opened} onClose={close} title={title} size="lg" classNames={{ title: "wrap" }}>
        <Stack>
          <Text size="sm">
            {t("clone.apart", { apart: span(facts.apart), travel: span(facts.travel) })} {t("clone.meaning")}
          </Text>
          <SimpleGrid cols={{ base: 1, sm: 2 }}>
            <Read title={t("clone.older")} read={older} />
            <Read title={t("clone.newer")} read={newer} />
          </SimpleGrid>
        </Stack>
      </Modal>
    </>
  );
}

function Read({ title, read }: { title: string; read: ClonedRead }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { property_id: id } = read;
  const property = useQuery({
    queryKey: ["get", "/properties/{id}", id, "name"],
    queryFn: () => readRecord("/properties", id),
  });
  const rows = [
    [t("clone.property"), String(property.data?.name ?? id)],
    [t("clone.place"), read.location?.name ?? read.location_id],
    [t("clone.zone"), read.zone?.name ?? read.zone_id],
    [t("clone.reader"), read.reader?.name ?? read.reader_id],
    [t("clone.at"), format.seconds(read.at)],
    [t("clone.signal"), read.rssi === null ? null : `${format.number(read.rssi)} dBm`],
  ].filter(([, text]) => text !== null);
  return (
    <Card withBorder padding="sm" role="group" aria-label={title}>
      <Text fw={550} size="sm" mb="xs">
        {title}
      </Text>
      <Table withRowBorders={false} horizontalSpacing={0} verticalSpacing={2}>
        <Table.Tbody>
          {rows.map(([name, text]) => (
            <Table.Tr key={name}>
              <Table.Th w="38%" fw={400} c="dimmed">
                {name}
              </Table.Th>
              <Table.Td className="wrap">{text}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Card>
  );
}
