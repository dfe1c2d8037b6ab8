import { NumberInput, Select, Text } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useTranslation } from "react-i18next";
import { ActionDialog } from "../../parts/action-dialog.tsx";
import { CHANGED, changeRecord } from "../../parts/collections.ts";
import { texts as en } from "../../text/en/depreciation.ts";
import type { ChangeProps } from "./record-tab.tsx";

const methods = Object.keys(en.method) as (keyof typeof en.method)[];
const conventions = Object.keys(en.convention) as (keyof typeof en.convention)[];

/** Sets how the assets of a category are depreciated if they do not say it themselves. */
export function DepreciationDialog({ record, onClose }: ChangeProps<"/categories">) {
  const { t } = useTranslation();
  const name = record.name ?? "";
  const before = record.depreciation;
  const form = useForm<Record<string, string | number | null>>({
    initialValues: {
      method: before?.method ?? null,
      useful_life_months: before?.useful_life_months ?? "",
      salvage_percent: before?.salvage_percent ?? "",
      convention: before?.convention ?? null,
    },
  });
  const save = () => {
    const given = Object.entries(form.values).map(([field, value]) => [field, value === "" ? null : value]);
    const isEmpty = given.every(([, value]) => value === null);
    return changeRecord("/categories", record, { depreciation: isEmpty ? null : Object.fromEntries(given) });
  };
  return (
    <ActionDialog
      title={`${t("people.depreciation")}: ${name}`}
      submit={t("action.save")}
      done={t("record.saved", { name })}
      changes={CHANGED}
      disabled={!form.isDirty()}
      onClose={onClose}
      action={save}
    >
      <Text size="sm" c="dimmed">
        {t("people.depreciationHint")}
      </Text>
      <Select
        label={t("people.method")}
        clearable
        data-autofocus
        data={methods.map((value) => ({ value, label: t(`method.${value}`) }))}
        {...form.getInputProps("method")}
      />
      <NumberInput
        label={t("asset.useful_life_months")}
        min={1}
        allowDecimal={false}
        {...form.getInputProps("useful_life_months")}
      />
      <NumberInput
        label={t("people.salvagePercent")}
        min={0}
        max={100}
        decimalScale={2}
        {...form.getInputProps("salvage_percent")}
      />
      <Select
        label={t("people.convention")}
        clearable
        data={conventions.map((value) => ({ value, label: t(`convention.${value}`) }))}
        {...form.getInputProps("convention")}
      />
    </ActionDialog>
  );
}
