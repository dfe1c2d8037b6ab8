import { useTranslation } from "react-i18next";
import type { Schemas } from "../../api/client.ts";
import type { texts as en } from "../../text/en/depreciation.ts";

type Defaults = Schemas["Category"]["depreciation"];

/** Says how the assets of a category are depreciated if they do not say it themselves. */
export function useDepreciationText(): (defaults: Defaults) => string {
  const { t, i18n } = useTranslation();
  // A newer server may know values that this page has no text for.
  const named = (group: "method" | "convention", value: string | null): string | null =>
    value !== null && i18n.exists(`${group}.${value}`)
      ? t(`${group}.${value}` as `method.${keyof typeof en.method}`)
      : value;
  return (defaults) => {
    if (defaults === null) return "";
    const { method, useful_life_months: months, salvage_percent: percent, convention } = defaults;
    return [
      named("method", method),
      months !== null && t("people.months", { count: months }),
      percent !== null && t("people.salvage", { percent }),
      named("convention", convention),
    ]
      .filter(Boolean)
      .join(", ");
  };
}
