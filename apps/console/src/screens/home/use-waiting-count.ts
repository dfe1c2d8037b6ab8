import { useTranslation } from "react-i18next";
import { useFormat } from "../../parts/workspace.ts";

/** How many wait. Null if their service did not answer. */
export type Waiting = { count: number; count_is_exact: boolean } | null;

/** Writes how many wait: "6", "1,000 or more", or a dash. */
export function useWaitingCount() {
  const { t } = useTranslation();
  const format = useFormat();
  return (value: Waiting): string => {
    if (value === null) return "–";
    const count = format.number(value.count);
    return value.count_is_exact ? count : t("home.atLeast", { count });
  };
}
