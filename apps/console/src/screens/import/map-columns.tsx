import { Alert, Button, Card, Grid, Group, Select, Stack, Text, Title } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { ApiError } from "../../api/problem.ts";
import { reasonOf } from "../../parts/notify.tsx";
import { useFormat } from "../../parts/workspace.ts";
import { ColumnRow } from "./column-row.tsx";
import { type Encoding, encodings } from "./csv-text.ts";
import { ImportRulesCard } from "./import-rules.tsx";
import type { Choice, ImportFile, OpenFile } from "./use-import-file.ts";

const NO_CHOICE: Choice = { field: null, format: undefined };
const delimiters = [",", ";", "\t", "|"] as const;

/** Says what each column is, and how rows are treated; then the file is checked. */
export function MapColumns({ file, opened }: { file: ImportFile; opened: OpenFile }) {
  const { t } = useTranslation();
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<unknown>();
  const navigate = useNavigate({ from: "/import" });
  const { mapped, rules, choices } = file;
  const has = (field: string): boolean => mapped.some((one) => one.field === field);
  const needsFormat = mapped.some(({ index, kind, format }) => {
    const formats = kind === "decimal" || kind === "date" ? opened.columns[index]?.formats[kind] : undefined;
    return format === undefined && (formats?.length ?? 0) > 1;
  });
  const problem =
    (!has("name") && rules.onExisting === "skip" && t("importing.noName")) ||
    (!has("number") && !rules.allowUnnumbered && t("importing.noNumber")) ||
    (needsFormat && t("importing.chooseFormat"));

  const check = async (): Promise<void> => {
    setBusy(true);
    setFailure(undefined);
    try {
      await navigate({ search: { id: await file.check() } });
      window.scrollTo({ top: 0 });
    } catch (error) {
      setFailure(error);
    } finally {
      setBusy(false);
    }
  };

  return (
    <Stack>
      <FileCard file={file} opened={opened} />
      <Card withBorder component="section">
        <Title order={2} size="h5">
          {t("importing.columns")}
        </Title>
        <Text size="sm" c="dimmed" mb="sm">
          {t("importing.columnsHint")}
        </Text>
        <Stack gap="sm">
          {opened.columns.map((column, index) => (
            <ColumnRow
              key={column.name}
              column={column}
              choice={choices[index] ?? NO_CHOICE}
              targets={file.targets}
              index={index}
              onField={file.chooseField}
              onFormat={file.chooseFormat}
            />
          ))}
        </Stack>
      </Card>
      <ImportRulesCard rules={rules} mapped={mapped} onChange={file.setRules} />
      <ImportFailure error={failure} />
      <Group gap="sm">
        <Button loading={busy} disabled={Boolean(problem)} onClick={() => void check()}>
          {t("importing.check")}
        </Button>
        <Text size="sm" c="dimmed" role="status">
          {problem || t("importing.checkHint")}
        </Text>
      </Group>
    </Stack>
  );
}

/** The file, and how it was read. A wrong guess is seen in the examples, and mended here. */
function FileCard({ file, opened }: { file: ImportFile; opened: OpenFile }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { encoding, delimiter, rows, brokenRow } = opened;
  const reopen = (otherEncoding: Encoding, otherDelimiter: string): void => {
    if (file.file) void file.open(file.file, otherEncoding, otherDelimiter);
  };
  return (
    <Card withBorder component="section">
      <Group justify="space-between" align="flex-start" gap="sm" mb="sm">
        <Stack gap={0} miw={0} flex="1 1 200px">
          <Title order={2} size="h5" className="cut">
            {file.file?.name}
          </Title>
          <Text size="sm" c="dimmed">
            {t("importing.rows", { count: rows, shown: format.number(rows) })}
          </Text>
        </Stack>
        <Button variant="default" size="xs" onClick={file.close}>
          {t("importing.otherFile")}
        </Button>
      </Group>
      {brokenRow !== undefined && (
        <Alert color="yellow" mb="sm">
          {t("importing.brokenRow", { row: format.number(brokenRow) })}
        </Alert>
      )}
      <Grid gap="sm">
        <Grid.Col span={{ base: 12, xs: 6 }}>
          <Select
            label={t("importing.encoding")}
            data={encodings.map((value) => ({ value, label: t(`importing.encodings.${value}`) }))}
            value={encoding}
            onChange={(value) => reopen(value as Encoding, delimiter)}
            allowDeselect={false}
            disabled={file.reading}
          />
        </Grid.Col>
        <Grid.Col span={{ base: 12, xs: 6 }}>
          <Select
            label={t("importing.delimiter")}
            data={delimiters.map((value) => ({ value, label: t(`importing.delimiters.${value}`) }))}
            value={delimiter}
            onChange={(value) => reopen(encoding, value ?? ",")}
            allowDeselect={false}
            disabled={file.reading}
          />
        </Grid.Col>
      </Grid>
    </Card>
  );
}

/** Why an import did not start. If another one runs, it leads there. */
export function ImportFailure({ error }: { error: unknown }) {
  const { t } = useTranslation();
  const navigate = useNavigate({ from: "/import" });
  if (error === undefined) return null;
  const running =
    error instanceof ApiError && error.code === "IMPORT_RUNNING" ? error.fields.import_id : undefined;
  return (
    <Alert color="red" role="alert">
      {running === undefined ? reasonOf(error) : t("importing.running")}
      {running !== undefined && (
        <Button
          ml="sm"
          size="compact-sm"
          variant="default"
          onClick={() => void navigate({ search: { id: running } })}
        >
          {t("importing.showRunning")}
        </Button>
      )}
    </Alert>
  );
}
