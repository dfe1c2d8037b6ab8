import { Select } from "@mantine/core";
import { useTranslation } from "react-i18next";

/** In seconds: none, an hour, a day, 7 days. Of a webhook 7 days are the maximum. */
const overlaps = [0, 3_600, 86_400, 604_800] as const;
export const DEFAULT_OVERLAP_S: number = 86_400;

type Props = { value: number; onChange: (seconds: number) => void };

/** How long the old text of a key or secret stays valid after a rotation. */
export function OverlapSelect({ value, onChange }: Props) {
  const { t } = useTranslation();
  return (
    <Select
      label={t("secret.overlap")}
      data={overlaps.map((seconds) => ({ value: `${seconds}`, label: t(`secret.overlap${seconds}`) }))}
      value={`${value}`}
      onChange={(chosen) => chosen && onChange(Number(chosen))}
      allowDeselect={false}
      data-autofocus
    />
  );
}
