import { Alert, Box, Card, List, Progress, SimpleGrid, Stack, Text, Title } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { queries, type Schemas } from "../../api/client.ts";
import { Failed, Loading } from "../../parts/states.tsx";
import { useFormat } from "../../parts/workspace.ts";
import { ImportActions } from "./import-actions.tsx";
import { ImportRows } from "./import-rows.tsx";
import { type RowState, rowStates } from "./import-search.ts";
import type { ImportFile } from "./use-import-file.ts";

type Props = { id: string; rows: RowState; file: ImportFile };

const POLL_MS = 1_000;
const isRunning = (status: Schemas["Import"]["status"] | undefined): boolean =>
  status === "validating" || status === "importing";

/** An import or its check: how far it is, then what came of it. */
export function ImportState({ id, rows, file }: Props) {
  const found = queries.useQuery(
    "get",
    "/import/assets/{id}",
    { params: { path: { id }, query: { expand: ["user"] } } },
    { refetchInterval: ({ state }) => (isRunning(state.data?.status) ? POLL_MS : false) },
  );
  if (found.isPending) return <Loading />;
  if (found.isError) return <Failed error={found.error} retry={() => void found.refetch()} />;
  const record = found.data;
  return (
    <Stack>
      <Card withBorder component="section">
        <Stack gap="sm">
          {isRunning(record.status) ? <Working record={record} /> : <Ended record={record} />}
          {!isRunning(record.status) && <ImportActions record={record} file={file} />}
        </Stack>
      </Card>
      {(record.status === "done" || record.status === "done_with_errors") && (
        <ImportRows record={record} state={rows} />
      )}
    </Stack>
  );
}

function Working({ record: { progress, dry_run } }: { record: Schemas["Import"] }) {
  const { t } = useTranslation();
  const text = t(dry_run ? "importing.working.check" : "importing.working.run");
  return (
    <>
      <Box role="status">
        <Title order={2} size="h5">
          {text}
        </Title>
      </Box>
      <Progress value={(100 * progress.done) / Math.max(1, progress.total)} aria-label={text} />
      <Text size="sm" c="dimmed">
        {t("importing.closable")}
      </Text>
    </>
  );
}

function Ended({ record }: { record: Schemas["Import"] }) {
  const { t } = useTranslation();
  const { status, dry_run, counts, error, ignored_columns, created_by_user } = record;
  if (status === "failed")
    return (
      <Alert color="red" role="alert" title={t("importing.failedTitle")}>
        {error?.message}
      </Alert>
    );
  return (
    <>
      <Box role="status">
        <Title order={2} size="h5">
          {t(dry_run ? "importing.checkedTitle" : "importing.doneTitle")}
        </Title>
      </Box>
      {created_by_user && (
        <Text size="sm" c="dimmed" className="cut">
          {t("importing.startedBy", { name: created_by_user.name })}
        </Text>
      )}
      <Counts counts={counts} isCheck={dry_run} />
      {counts.rejected === 0 && dry_run && <Text size="sm">{t("importing.allGood")}</Text>}
      {ignored_columns.length > 0 && (
        <Alert
          color="yellow"
          title={
            // The yellow of a title has too little contrast.
            <Text inherit c="var(--mantine-color-text)">
              {t("importing.ignored")}
            </Text>
          }
        >
          <List size="sm">
            {ignored_columns.map(({ column, reason }) => (
              <List.Item key={column} className="wrap">
                {column}: {reason}
              </List.Item>
            ))}
          </List>
        </Alert>
      )}
    </>
  );
}

function Counts({ counts, isCheck }: { counts: Schemas["Import"]["counts"]; isCheck: boolean }) {
  const { t } = useTranslation();
  const format = useFormat();
  return (
    <SimpleGrid cols={{ base: 2, sm: 4 }} spacing="sm">
      {rowStates.map((state) => (
        <Stack key={state} gap={0}>
          <Text
            size="xl"
            fw={650}
            className="numbers"
            c={state === "rejected" && counts.rejected > 0 ? "light-dark(#b02a2a, #ff8787)" : undefined}
          >
            {format.number(counts[state])}
          </Text>
          <Text size="sm" c="dimmed">
            {t(isCheck ? `importing.counts.${state}` : `importing.countsRun.${state}`)}
          </Text>
        </Stack>
      ))}
    </SimpleGrid>
  );
}
