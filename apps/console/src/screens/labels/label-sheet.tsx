import {
  Alert,
  Anchor,
  Box,
  Button,
  Card,
  Group,
  List,
  Loader,
  Progress,
  Stack,
  Text,
  Title,
} from "@mantine/core";
import { IconDownload, IconPrinter } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { queries, type Schemas } from "../../api/client.ts";
import { fetchFile } from "../../api/download.ts";
import { Failed, Loading } from "../../parts/states.tsx";
import { useFormat } from "../../parts/workspace.ts";

type Sheet = Schemas["LabelSheet"];

const POLL_MS = 1_000;
/** "Print" opens the file in a tab of its own, which must still be able to load it again after this page was left. */
const KEPT_MS = 600_000;
/** More names than this are no help; the count is shown. */
const SHOWN = 50;

/** Labels that were asked for: how far they are, then the file, and the assets that have none. */
export function LabelSheet({ id }: { id: string }) {
  const found = queries.useQuery(
    "get",
    "/labels/{id}",
    { params: { path: { id }, query: { expand: ["asset"] } } },
    { refetchInterval: ({ state }) => (state.data?.status === "making" ? POLL_MS : false) },
  );
  return (
    <Card withBorder component="section" mb="md">
      {found.isPending && <Loading />}
      {found.isError && <Failed error={found.error} retry={() => void found.refetch()} />}
      {found.isSuccess && (
        <Stack gap="sm">
          {found.data.status === "making" && <Making sheet={found.data} />}
          {found.data.status === "ready" && <Ready sheet={found.data} />}
          {found.data.status === "failed" && <NotMade sheet={found.data} />}
          <Skipped sheet={found.data} />
        </Stack>
      )}
    </Card>
  );
}

function Making({ sheet: { progress } }: { sheet: Sheet }) {
  const { t } = useTranslation();
  const format = useFormat();
  const part = (100 * progress.done) / Math.max(1, progress.total);
  const text = t("labels.progress", {
    done: format.number(progress.done),
    total: format.number(progress.total),
  });
  return (
    <>
      <Box role="status">
        <Title order={2} size="h5">
          {t("labels.making")}
        </Title>
      </Box>
      <Progress value={part} aria-label={t("labels.making")} />
      <Text size="sm" c="dimmed">
        {text}
      </Text>
    </>
  );
}

function Ready({ sheet: { id, labels, format: kind, expires_at } }: { sheet: Sheet }) {
  const { t } = useTranslation();
  const format = useFormat();
  const file = useQuery({
    queryKey: ["labels", id],
    queryFn: ({ signal }) => fetchFile(`/labels/${id}/file`, signal),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const url = useLastingUrl(file.data);
  return (
    <>
      <Box role="status">
        <Title order={2} size="h5">
          {t("labels.ready", { count: labels, shown: format.number(labels) })}
        </Title>
      </Box>
      <Group gap="xs" mih={36}>
        {file.isPending && <Loader size="sm" aria-label={t("state.loading")} role="status" />}
        {url !== undefined && kind === "pdf" && (
          <Button
            component="a"
            href={url}
            target="_blank"
            leftSection={<IconPrinter size={17} aria-hidden />}
          >
            {t("labels.print")}
          </Button>
        )}
        {url !== undefined && (
          <Button
            component="a"
            href={url}
            download={`labels.${kind}`}
            variant={kind === "pdf" ? "default" : "filled"}
            leftSection={<IconDownload size={17} aria-hidden />}
          >
            {t("labels.download")}
          </Button>
        )}
      </Group>
      {file.isError && <Failed error={file.error} retry={() => void file.refetch()} />}
      <Text size="xs" c="dimmed">
        {t("labels.readyHint", { until: format.time(expires_at) })}
      </Text>
    </>
  );
}

function useLastingUrl(file: Blob | undefined): string | undefined {
  const [url, setUrl] = useState<string>();
  useEffect(() => {
    if (file === undefined) return;
    const made = URL.createObjectURL(file);
    setUrl(made);
    return () => void setTimeout(() => URL.revokeObjectURL(made), KEPT_MS);
  }, [file]);
  return url;
}

function NotMade({ sheet: { labels, error } }: { sheet: Sheet }) {
  const { t } = useTranslation();
  return (
    <Alert color="red" role="alert" title={t("labels.failed")}>
      {labels === 0 ? t("labels.noCode") : error?.message}
    </Alert>
  );
}

function Skipped({ sheet: { skipped } }: { sheet: Sheet }) {
  const { t } = useTranslation();
  if (skipped.length === 0) return null;
  const byReason = Object.entries(Object.groupBy(skipped, ({ code }) => code));
  return (
    <Alert
      color="yellow"
      title={
        // The yellow of a title has too little contrast.
        <Text inherit c="var(--mantine-color-text)">
          {t("labels.skipped", { count: skipped.length })}
        </Text>
      }
    >
      {byReason.map(([code, assets]) => (
        <div key={code}>
          <Text size="sm" fw={600}>
            {t(`labels.reason.${code as Sheet["skipped"][number]["code"]}`)}
          </Text>
          <List size="sm" mb="xs">
            {assets.slice(0, SHOWN).map(({ asset_id, asset }) => (
              <List.Item key={asset_id} className="wrap">
                <Anchor
                  renderRoot={(props) => <Link {...props} to="/assets/$id" params={{ id: asset_id }} />}
                  size="sm"
                  underline="always"
                >
                  {asset ? `${asset.number} ${asset.name}` : asset_id}
                </Anchor>
              </List.Item>
            ))}
            {assets.length > SHOWN && <li>{t("labels.more", { count: assets.length - SHOWN })}</li>}
          </List>
        </div>
      ))}
    </Alert>
  );
}
