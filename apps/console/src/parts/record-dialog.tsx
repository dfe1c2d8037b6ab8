import { NumberInput, TextInput } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { ActionDialog } from "./action-dialog.tsx";
import { changeOrRebase } from "./change-or-rebase.ts";
import {
  CHANGED,
  type Collection,
  changeRecord,
  createRecord,
  readRecord,
  type StoredRecord,
} from "./collections.ts";
import { CategorySelect, DepartmentSelect, UserSelect } from "./record-select.tsx";
import { changesOf, type Field, type Values, valuesOf } from "./record-values.ts";
import { showAtFields } from "./show-at-fields.ts";
import { useRebasedForm } from "./use-rebased-form.ts";

type Props = {
  title: string;
  collection: Collection;
  fields: readonly Field[];
  /** The record to change. Without one, a new record is created. */
  record?: StoredRecord | undefined;
  /** Values of a new record that are no fields: its parent. */
  fixed?: { [name: string]: unknown };
  onClose: () => void;
};

/** Creates a record of a collection, or changes one. What was typed stays when a request fails. */
export function RecordDialog({ title, collection, fields, record, fixed, onClose }: Props) {
  const { t } = useTranslation();
  const { form, base, rebase } = useRebasedForm<typeof record, Values>(record, (one) =>
    valuesOf(fields, one),
  );
  const name = String(form.values.name);

  const save = async (): Promise<void> => {
    const changes = changesOf(form.values, valuesOf(fields, base));
    if (base === undefined) {
      await createRecord(collection, { ...fixed, ...changes });
      return;
    }
    const reread = async (): Promise<void> => rebase(await readRecord(collection, base.id));
    await changeOrRebase(changeRecord(collection, base, changes), reread);
  };

  return (
    <ActionDialog
      title={title}
      submit={t(record === undefined ? "action.create" : "action.save")}
      done={t(record === undefined ? "record.created" : "record.saved", { name })}
      changes={CHANGED}
      disabled={record !== undefined && !form.isDirty()}
      onClose={onClose}
      action={() => showAtFields(form, save)}
    >
      {fields.map((field, index) => {
        const { name: key, label, required, maxLength, input = "text" } = field;
        const props = {
          label,
          required,
          "data-autofocus": index === 0 || undefined,
          ...form.getInputProps(key),
        };
        if (input === "number") return <NumberInput key={key} allowDecimal={false} {...props} />;
        if (input === "department") return <DepartmentSelect key={key} {...props} />;
        if (input === "user") return <UserSelect key={key} {...props} />;
        if (input === "category") return <CategorySelect key={key} {...props} />;
        return <TextInput key={key} type={input} maxLength={maxLength} {...props} />;
      })}
    </ActionDialog>
  );
}
