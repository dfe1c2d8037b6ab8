import { Badge, Box, Card, Group, Stack, Text, Title } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { api, type Schemas } from "../../api/client.ts";
import { PagedList } from "../../parts/paged-list.tsx";
import { AssetLink, UnknownTagLink } from "../../parts/subject-link.tsx";
import { usePages } from "../../parts/use-pages.ts";
import { useFormat } from "../../parts/workspace.ts";

type Props = { zone: Schemas["ZonePresence"]; everyMs: number };

/** The people and assets that are in a zone now. */
export function PresentTags({ zone: { zone_id, name }, everyMs }: Props) {
  const { t } = useTranslation();
  const found = usePages(
    "/zones/{id}/presence",
    zone_id,
    (page, signal) =>
      api.GET("/zones/{id}/presence", {
        params: { path: { id: zone_id }, query: { ...page, expand: ["asset", "reader"] } },
        signal,
      }),
    everyMs,
  );
  return (
    <>
      <Title order={2} size="h5" mb="xs" className="wrap" lineClamp={2}>
        {t("live.here", { zone: name })}
      </Title>
      <Card withBorder padding="sm">
        <PagedList found={found} empty={t("live.nobody")}>
          {(tag) => <PresentTag key={tag.epc} tag={tag} />}
        </PagedList>
      </Card>
    </>
  );
}

function PresentTag({ tag }: { tag: Schemas["PresentTag"] }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { epc, asset_id, asset, since, last_read_at, reader_id, reader, flapping, suspended_since } = tag;
  const came = t("live.came", { when: format.ago(since) });
  const read = t("live.lastRead", { when: format.ago(last_read_at), reader: reader?.name ?? reader_id });
  return (
    <Group justify="space-between" wrap="nowrap" gap="sm">
      <Box miw={0}>
        {asset_id === null ? (
          <UnknownTagLink epc={epc} />
        ) : (
          <AssetLink id={asset_id} name={asset?.name ?? asset_id} />
        )}
        <Text size="xs" c="dimmed" className="cut" title={format.time(since)}>
          {[came, asset?.number].filter(Boolean).join(" · ")}
        </Text>
        <Text size="xs" c="dimmed" className="cut" title={format.time(last_read_at)}>
          {read}
        </Text>
        {flapping && <Hint text={t("live.flappingHint")} />}
        {suspended_since && <Hint text={t("live.suspendedHint")} />}
      </Box>
      <Stack gap={2} align="flex-end" flex="none">
        {flapping && <Mark text={t("live.flapping")} />}
        {suspended_since && <Mark text={t("live.suspended")} />}
      </Stack>
    </Group>
  );
}

const Mark = ({ text }: { text: string }) => (
  <Badge variant="light" size="sm" color="yellow" c="var(--mantine-color-text)" tt="none" fw={550}>
    {text}
  </Badge>
);

/** The meaning of a mark. */
const Hint = ({ text }: { text: string }) => (
  <Text size="xs" c="dimmed">
    {text}
  </Text>
);
