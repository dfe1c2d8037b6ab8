import { useTranslation } from "react-i18next";
import type { Schemas } from "../../api/client.ts";
import { useFormat } from "../../parts/workspace.ts";

type Field = Schemas["CustomField"];

const measured = ["text", "textarea", "url", "email"];

/** Says which values a custom field takes; undefined if it takes all of its type. */
export function useFieldRules(): (field: Field) => string | undefined {
  const { t } = useTranslation();
  const format = useFormat();
  const shown = (type: Field["type"], bound: string | number): string => {
    if (type === "date") return format.day(String(bound));
    return type === "datetime" ? format.time(String(bound)) : format.number(Number(bound));
  };
  return ({ type, min, max, pattern }) => {
    const [least, most] = measured.includes(type)
      ? (["fieldRule.minLength", "fieldRule.maxLength"] as const)
      : (["fieldRule.min", "fieldRule.max"] as const);
    const rules = [
      min !== null && t(least, { value: shown(type, min) }),
      max !== null && t(most, { value: shown(type, max) }),
      pattern !== null && t("fieldRule.pattern", { pattern }),
    ].filter((rule) => rule !== false);
    return rules.length === 0 ? undefined : rules.join(", ");
  };
}
