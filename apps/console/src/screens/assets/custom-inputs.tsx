import { NumberInput, Select, Textarea, TextInput } from "@mantine/core";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { Schemas } from "../../api/client.ts";
import { ManySelect } from "../../parts/many-select.tsx";
import { useFieldRules } from "./use-field-rules.ts";

type Field = Schemas["CustomField"];
type Props = {
  field: Field;
  value: string | number | string[];
  error: ReactNode;
  /** A value must be given now. An older asset may have none. */
  required: boolean;
  onChange: (value: string | number | string[]) => void;
};

const inputTypes = { url: "url", email: "email", date: "date", datetime: "datetime-local" } as const;

/** The input of a custom field. The server checks its rules, and its answer is shown at the field. */
export function CustomInput({ field, value, error, required, onChange }: Props) {
  const { t } = useTranslation();
  const { type, label } = field;
  const shared = {
    ...{ label, error, required, withAsterisk: field.required },
    description: useFieldRules()(field),
    inputWrapperOrder: ["label", "input", "description", "error"] as ("label" | "input")[],
  };
  // An option that is not active any more stays where it is used.
  const options = field.options
    .filter((one) => one.active !== false || [value].flat().includes(one.value))
    .map((one) => ({ value: one.value, label: one.label ?? one.value }));
  switch (type) {
    case "number":
      return <NumberInput {...shared} value={value as string | number} onChange={onChange} />;
    case "boolean":
    case "select": {
      const answers = [
        { value: "true", label: t("asset.yes") },
        { value: "false", label: t("asset.no") },
      ];
      return (
        <Select
          {...shared}
          clearable
          searchable={type === "select"}
          data={type === "select" ? options : answers}
          value={value === "" ? null : String(value)}
          onChange={(chosen) => onChange(chosen ?? "")}
        />
      );
    }
    case "multiselect":
      return (
        <ManySelect
          {...shared}
          searchable
          clearable
          data={options}
          value={[value].flat().map(String)}
          onChange={onChange}
        />
      );
    case "textarea":
      return (
        <Textarea
          {...shared}
          autosize
          minRows={2}
          value={String(value)}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      );
    default:
      return (
        <TextInput
          {...shared}
          type={type === "text" ? "text" : inputTypes[type]}
          {...(type === "date" && { min: field.min ?? undefined, max: field.max ?? undefined })}
          value={String(value)}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      );
  }
}
