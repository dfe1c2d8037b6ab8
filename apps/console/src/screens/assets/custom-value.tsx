import { Anchor } from "@mantine/core";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { Schemas } from "../../api/client.ts";
import { useFormat } from "../../parts/workspace.ts";

/** The value of a custom field, as people read it. */
export function CustomValue({ field, value }: { field: Schemas["CustomField"]; value: unknown }): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const text = String(value);
  const labelOf = (option: unknown): string =>
    field.options.find((one) => one.value === option)?.label ?? String(option);
  switch (field.type) {
    case "number":
      return format.number(Number(value));
    case "boolean":
      return t(value === true ? "asset.yes" : "asset.no");
    case "date":
      return format.day(text);
    case "datetime":
      return format.time(text);
    case "select":
    case "multiselect":
      return [value].flat().map(labelOf).join(", ");
    case "url":
      // The server takes only addresses of http and https.
      return (
        <Anchor href={text} target="_blank" rel="noreferrer" size="sm" className="wrap">
          {text}
        </Anchor>
      );
    case "email":
      return (
        <Anchor href={`mailto:${text}`} size="sm" className="wrap">
          {text}
        </Anchor>
      );
    default:
      return text;
  }
}
