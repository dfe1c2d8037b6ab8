import { Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { ActionDialog } from "../../parts/action-dialog.tsx";
import { CHANGED, type Collection, deleteRecord } from "../../parts/collections.ts";

type Props = {
  collection: Collection;
  record: { id: string; rev: number };
  name: string;
  text: string;
  onClose: () => void;
};

/** Deletes a record as it is shown: one that was changed meanwhile stays. */
export function DeleteRecord({ collection, record, name, text, onClose }: Props) {
  const { t } = useTranslation();
  return (
    <ActionDialog
      title={t("record.deleteTitle", { name })}
      submit={t("action.delete")}
      done={t("record.deleted", { name })}
      changes={CHANGED}
      danger
      onClose={onClose}
      action={() => deleteRecord(collection, record)}
    >
      <Text size="sm">{text}</Text>
    </ActionDialog>
  );
}
