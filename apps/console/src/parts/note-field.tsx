import { Textarea } from "@mantine/core";
import { useTranslation } from "react-i18next";

type Props = { value: string; onChange: (value: string) => void };

/** A note, which is kept with what is done. */
export function NoteField({ value, onChange }: Props) {
  const { t } = useTranslation();
  return (
    <Textarea
      label={t("asset.note")}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
