import { Card, Checkbox, Radio, Select, Stack, Title } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { ImportRules, NamedColumn } from "./start-import.ts";

type Props = { rules: ImportRules; mapped: readonly NamedColumn[]; onChange: (rules: ImportRules) => void };

/** Rules for rows of known assets and for rows without a number, and how rows name other records. */
export function ImportRulesCard({ rules, mapped, onChange }: Props) {
  const { t } = useTranslation();
  const { onExisting, references, allowUnnumbered } = rules;
  const hasReferences = mapped.some(({ kind }) => kind === "reference");
  return (
    <Card withBorder component="section">
      <Stack gap="md">
        <Title order={2} size="h5">
          {t("importing.rules")}
        </Title>
        <Radio.Group
          label={t("importing.existing")}
          value={onExisting}
          onChange={(value) => onChange({ ...rules, onExisting: value === "update" ? "update" : "skip" })}
        >
          <Stack gap="xs" mt={6}>
            <Radio value="skip" label={t("importing.skip")} />
            <Radio value="update" label={t("importing.update")} />
          </Stack>
        </Radio.Group>
        <Checkbox
          label={t("importing.unnumbered")}
          description={t("importing.unnumberedHint")}
          checked={allowUnnumbered}
          onChange={(event) => onChange({ ...rules, allowUnnumbered: event.currentTarget.checked })}
        />
        {hasReferences && (
          <Select
            maw={360}
            label={t("importing.references")}
            description={t("importing.referencesHint")}
            data={[
              { value: "name", label: t("importing.byName") },
              { value: "code", label: t("importing.byCode") },
              { value: "id", label: t("importing.byId") },
            ]}
            value={references}
            onChange={(value) => onChange({ ...rules, references: value as ImportRules["references"] })}
            allowDeselect={false}
          />
        )}
      </Stack>
    </Card>
  );
}
