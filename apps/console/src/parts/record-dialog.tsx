import { NumberInput, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { ApiError } from "../api/problem.ts";
import { ActionDialog } from "./action-dialog.tsx";
import {
  CHANGED,
  type Collection,
  changeRecord,
  createRecord,
  readRecord,
  type StoredRecord,
} from "./collections.ts";
import { rebased } from "./rebased.ts";
import { CategorySelect, DepartmentSelect, UserSelect } from "./record-select.tsx";
import { changesOf, type Field, type Values, valuesOf } from "./record-values.ts";

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
  // The record that was read: If-Match compares its rev, and only changed fields are sent.
  const [base, setBase] = useState(record);
  const form = useForm<Values>({ initialValues: valuesOf(fields, record) });
  const name = String(form.values.name);

  const save = async (): Promise<void> => {
    form.clearErrors();
    const changes = changesOf(form.values, valuesOf(fields, base));
    await (base === undefined
      ? createRecord(collection, { ...fixed, ...changes })
      : changeRecord(collection, base, changes));
  };

  /** Names the field of an error at the field. After a change by somebody else, the dialog keeps only what was typed. */
  const explain = async (error: unknown): Promise<never> => {
    if (!(error instanceof ApiError)) throw error;
    form.setErrors(error.fields);
    if (error.status !== 412 || base === undefined) throw error;
    const now = await readRecord(collection, base.id);
    form.setValues(rebased(form.getValues(), valuesOf(fields, base), valuesOf(fields, now)));
    setBase(now);
    throw new ApiError(412, error.code, t("record.changed"), {}, error.requestId);
  };

  return (
    <ActionDialog
      title={title}
      submit={t(record === undefined ? "action.create" : "action.save")}
      done={t(record === undefined ? "record.created" : "record.saved", { name })}
      changes={CHANGED}
      disabled={record !== undefined && !form.isDirty()}
      onClose={onClose}
      action={() => save().catch(explain)}
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
