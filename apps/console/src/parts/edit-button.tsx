import { Button } from "@mantine/core";
import { useTranslation } from "react-i18next";

/** Opens the form of a card's record. */
export function EditButton({ name, onClick }: { name: string; onClick: () => void }) {
  const { t } = useTranslation();
  return (
    <Button size="xs" variant="default" aria-label={`${t("action.edit")}: ${name}`} onClick={onClick}>
      {t("action.edit")}
    </Button>
  );
}
