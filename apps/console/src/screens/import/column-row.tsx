import { Badge, Grid, Group, Select, Stack, Text } from "@mantine/core";
import { memo } from "react";
import { useTranslation } from "react-i18next";
import { type CellFormat, dateFormats, decimalFormats } from "./cell-format.ts";
import type { Column } from "./csv-table.ts";
import type { Target } from "./import-fields.ts";
import type { Choice } from "./use-import-file.ts";

type Props = {
  column: Column;
  choice: Choice;
  targets: readonly Target[];
  index: number;
  onField: (index: number, field: string | null) => void;
  onFormat: (index: number, format: CellFormat) => void;
};

/** A column of the file with examples, and the field that it has. */
export const ColumnRow = memo(function ColumnRow(props: Props) {
  const { column, choice, targets, index, onField, onFormat } = props;
  const { t } = useTranslation();
  const { name, examples } = column;
  const kind = targets.find(({ field }) => field === choice.field)?.kind;
  const formats = kind === "decimal" ? decimalFormats : kind === "date" ? dateFormats : [];
  const isAsked = kind === "decimal" || kind === "date" ? column.formats[kind].length > 0 : false;
  return (
    <Grid gap={{ base: 4, md: "md" }} align="center">
      <Grid.Col span={{ base: 12, md: 6 }}>
        <Stack gap={2} miw={0}>
          <Text size="sm" fw={600} className="cut">
            {name}
          </Text>
          <Group gap={4}>
            {examples.length === 0 && (
              <Text size="xs" c="dimmed">
                {t("importing.noExamples")}
              </Text>
            )}
            {examples.map((example) => (
              <Badge
                key={example}
                variant="default"
                radius="sm"
                tt="none"
                fw={400}
                maw="100%"
                styles={{ label: { unicodeBidi: "plaintext" } }}
              >
                {example}
              </Badge>
            ))}
          </Group>
        </Stack>
      </Grid.Col>
      <Grid.Col span={{ base: 12, md: 6 }}>
        <Group gap="xs" wrap="nowrap" align="flex-start">
          <Select
            flex={1}
            searchable
            clearable
            aria-label={t("importing.fieldOf", { name })}
            placeholder={t("importing.leaveOut")}
            data={targets.map(({ field, label }) => ({ value: field, label }))}
            nothingFoundMessage={t("nav.nothingFound")}
            value={choice.field}
            onChange={(field) => onField(index, field)}
          />
          {isAsked && (
            <Select
              w={{ base: 118, sm: 150 }}
              aria-label={t("importing.formatOf", { name })}
              data={formats.map((value) => ({ value, label: t(`importing.format.${value}`) }))}
              value={choice.format ?? null}
              error={choice.format === undefined && t("importing.chooseFormat")}
              onChange={(value) => value && onFormat(index, value as CellFormat)}
              allowDeselect={false}
            />
          )}
        </Group>
      </Grid.Col>
    </Grid>
  );
});
