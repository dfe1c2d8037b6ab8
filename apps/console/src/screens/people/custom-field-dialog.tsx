import { Checkbox, NumberInput, Select, SimpleGrid, Textarea, TextInput } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { ActionDialog } from "../../parts/action-dialog.tsx";
import { changeOrRebase } from "../../parts/change-or-rebase.ts";
import { CHANGED, changeRecord, createRecord, readRecord } from "../../parts/collections.ts";
import { ManySelect } from "../../parts/many-select.tsx";
import { useChoices } from "../../parts/records.ts";
import { showAtFields } from "../../parts/show-at-fields.ts";
import { useRebasedForm } from "../../parts/use-rebased-form.ts";
import { useTenant } from "../../parts/workspace.ts";
import {
  boundKindOf,
  type FieldValues,
  fieldBodyOf,
  fieldTypes,
  fieldValuesOf,
  hasOptions,
  mayBeUnique,
} from "./custom-field-values.ts";
import type { DialogProps } from "./record-tab.tsx";

type Props = DialogProps<"/custom-fields">;

/** Defines a field of assets, or changes one. Its key never changes. */
export function CustomFieldDialog(props: Props) {
  const timeZone = useTenant()?.workspace.time_zone;
  // Bounds that were read in one time zone and saved in another would move.
  return timeZone !== undefined && <FieldDialog {...props} timeZone={timeZone} />;
}

function FieldDialog({ record, onClose, timeZone }: Props & { timeZone: string }) {
  const { t } = useTranslation();
  const categories = useChoices("/categories");
  const { form, base, rebase } = useRebasedForm(record, (one) => fieldValuesOf(one, timeZone));
  const { label, type } = form.values;
  const bound = boundKindOf(type);
  const setType = (next: string | null): void => {
    form.setFieldValue("type", next as FieldValues["type"]);
    // The bounds of another type mean something else.
    if (boundKindOf(next as FieldValues["type"]) !== bound) form.setValues({ min: "", max: "" });
  };
  const save = async (): Promise<void> => {
    const body = fieldBodyOf(form.values, base, timeZone);
    if (base === undefined) {
      await createRecord("/custom-fields", body);
      return;
    }
    const reread = async (): Promise<void> =>
      rebase((await readRecord("/custom-fields", base.id)) as typeof record);
    await changeOrRebase(changeRecord("/custom-fields", base, body), reread);
  };
  return (
    <ActionDialog
      title={record === undefined ? t("people.newField") : t("record.edit", { name: record.label })}
      submit={t(record === undefined ? "action.create" : "action.save")}
      done={t(record === undefined ? "record.created" : "record.saved", { name: label })}
      changes={CHANGED}
      disabled={record !== undefined && !form.isDirty()}
      onClose={onClose}
      action={() => showAtFields(form, save)}
    >
      <TextInput
        label={t("people.label")}
        required
        data-autofocus
        maxLength={200}
        {...form.getInputProps("label")}
      />
      <TextInput
        label={t("people.key")}
        description={t("people.keyHint")}
        required
        disabled={record !== undefined}
        pattern="[a-z][a-z0-9_]{0,49}"
        {...form.getInputProps("key")}
      />
      <Select
        label={t("people.type")}
        data={fieldTypes.map((value) => ({ value, label: t(`fieldType.${value}`) }))}
        allowDeselect={false}
        {...form.getInputProps("type")}
        onChange={setType}
      />
      {hasOptions(type) && (
        <Textarea
          label={t("people.options")}
          description={t("people.optionsHint")}
          required
          autosize
          minRows={3}
          maxRows={10}
          {...form.getInputProps("options")}
        />
      )}
      {bound && (
        <SimpleGrid cols={2}>
          {(["min", "max"] as const).map((name) => {
            const props = { label: t(`bound.${bound}.${name}`), ...form.getInputProps(name) };
            if (bound === "date") return <TextInput key={name} type="date" {...props} />;
            if (bound === "instant") return <TextInput key={name} type="datetime-local" {...props} />;
            return <NumberInput key={name} allowDecimal={bound === "number"} {...props} />;
          })}
        </SimpleGrid>
      )}
      {type === "text" && (
        <TextInput
          label={t("people.pattern")}
          description={t("people.patternHint")}
          maxLength={200}
          {...form.getInputProps("pattern")}
        />
      )}
      <ManySelect
        label={t("people.categories")}
        description={t("people.categoriesHint")}
        searchable
        clearable
        limit={100}
        data={categories.map(({ id, name }) => ({ value: id, label: name }))}
        {...form.getInputProps("category_ids")}
      />
      <Checkbox label={t("people.required")} {...form.getInputProps("required", { type: "checkbox" })} />
      {mayBeUnique(type) && (
        <Checkbox label={t("people.unique")} {...form.getInputProps("unique", { type: "checkbox" })} />
      )}
    </ActionDialog>
  );
}
