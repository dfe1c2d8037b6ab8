import { type LabelTemplate, labelsOnPage, templates } from "@asset-register/proto/label-templates";
import { limits } from "@asset-register/proto/limits";
import { Card, Checkbox, Group, NumberInput, Radio, Select, Stack, TextInput, Title } from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";
import { useTranslation } from "react-i18next";
import { useSession } from "../../api/use-session.ts";
import { useFormat } from "../../parts/workspace.ts";
import { codes, fields, type LabelValues } from "./label-values.ts";

type Props = { form: UseFormReturnType<LabelValues> };

/** On what the labels are printed. */
export function LabelMedium({ form }: Props) {
  const { t } = useTranslation();
  const format = useFormat();
  const template = templates[form.values.template];
  const textOf = (name: LabelTemplate): string => {
    const { label, page, roll } = templates[name];
    const text = roll ? "labels.roll" : page.width === 210 ? "labels.sheetA4" : "labels.sheetLetter";
    return t(text, {
      name: name.toUpperCase(),
      count: labelsOnPage(templates[name]),
      width: format.number(label.width),
      height: format.number(label.height),
    });
  };
  const names = Object.keys(templates) as LabelTemplate[];
  const items = (roll: boolean) =>
    names
      .filter((name) => templates[name].roll === roll)
      .map((name) => ({ value: name, label: textOf(name) }));
  return (
    <Card withBorder component="section">
      <Stack gap="sm">
        <Title order={2} size="h5">
          {t("labels.medium")}
        </Title>
        <Select
          label={t("labels.template")}
          data={[
            { group: t("labels.sheets"), items: items(false) },
            { group: t("labels.rolls"), items: items(true) },
          ]}
          allowDeselect={false}
          maxDropdownHeight={360}
          {...form.getInputProps("template")}
          onChange={(name) => {
            form.setFieldValue("template", name as LabelTemplate);
            form.setFieldValue("start_at", 1);
          }}
        />
        {template.roll ? (
          <Group grow align="flex-start">
            <Select
              label={t("labels.format")}
              data={[
                { value: "pdf", label: t("labels.pdf") },
                { value: "zpl", label: t("labels.zpl") },
              ]}
              allowDeselect={false}
              {...form.getInputProps("format")}
            />
            {form.values.format === "zpl" && (
              <Select
                label={t("labels.dpi")}
                data={["203", "300"].map((dpi) => ({ value: dpi, label: t("labels.dpiValue", { dpi }) }))}
                allowDeselect={false}
                {...form.getInputProps("dpi")}
              />
            )}
          </Group>
        ) : (
          <NumberInput
            label={t("labels.start")}
            description={t("labels.startHint")}
            min={1}
            max={labelsOnPage(template)}
            clampBehavior="strict"
            allowDecimal={false}
            {...form.getInputProps("start_at")}
            onChange={(start) => form.setFieldValue("start_at", Number(start) || 1)}
          />
        )}
      </Stack>
    </Card>
  );
}

/** The fields printed on each label. */
export function LabelLook({ form }: Props) {
  const { t } = useTranslation();
  const { may } = useSession();
  return (
    <Card withBorder component="section">
      <Stack gap="sm">
        <Title order={2} size="h5">
          {t("labels.look")}
        </Title>
        <Select
          label={t("labels.code")}
          data={codes.map((code) => ({ value: code, label: t(`labels.${code}`) }))}
          allowDeselect={false}
          {...form.getInputProps("code")}
        />
        <Checkbox.Group label={t("labels.content")} {...form.getInputProps("content")}>
          <Group gap="md" mt={6}>
            {fields.map((field) => (
              <Checkbox key={field} value={field} label={t(`labels.${field}`)} />
            ))}
          </Group>
        </Checkbox.Group>
        <TextInput
          label={t("labels.text")}
          description={t("labels.textHint", { max: limits.labelText })}
          maxLength={limits.labelText}
          {...form.getInputProps("text")}
        />
        <Radio.Group
          label={t("labels.missing")}
          description={may("edit") ? undefined : t("labels.noEdit")}
          {...form.getInputProps("missing_tags")}
        >
          <Stack gap="xs" mt={6}>
            {may("edit") && (
              <Radio value="bind" label={t("labels.bind")} description={t("labels.bindHint")} />
            )}
            <Radio value="skip" label={t("labels.skip")} />
          </Stack>
        </Radio.Group>
      </Stack>
    </Card>
  );
}
