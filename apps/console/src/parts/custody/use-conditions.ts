import { useTranslation } from "react-i18next";

const conditions = ["new", "good", "fair", "poor", "damaged", "not_working"] as const;

/** The conditions in which an asset can be, to choose from. */
export function useConditions() {
  const { t } = useTranslation();
  return conditions.map((value) => ({ value, label: t(`condition.${value}`) }));
}
