import { useTranslation } from "react-i18next";
import { useSession } from "../../api/use-session.ts";
import { RecordDialog } from "../../parts/record-dialog.tsx";
import { DepreciationDialog } from "./depreciation-dialog.tsx";
import type { PeopleSearch } from "./people-search.ts";
import { type DialogProps, RecordTab } from "./record-tab.tsx";
import { useDepreciationText } from "./use-depreciation-text.ts";

export function Categories({ search }: { search: PeopleSearch }) {
  const { t } = useTranslation();
  const { may } = useSession();
  const depreciationText = useDepreciationText();
  return (
    <RecordTab
      collection="/categories"
      search={search}
      texts={{
        new: t("people.newCategory"),
        search: t("people.searchCategories"),
        emptyTitle: t("people.noCategories"),
        emptyText: t("people.noCategoriesText"),
        deleteText: t("people.deleteCategory"),
      }}
      columns={[
        { label: t("record.code"), text: (one) => one.code },
        { label: t("people.parent"), text: (one) => one.parent?.name },
        { label: t("people.depreciation"), text: (one) => depreciationText(one.depreciation) },
      ]}
      nameOf={({ name, id }) => name ?? id}
      assetsOf={(category) => ({ category })}
      Dialog={CategoryDialog}
      more={
        may("manage") && may("finance")
          ? { label: t("people.depreciation"), Dialog: DepreciationDialog }
          : undefined
      }
    />
  );
}

function CategoryDialog({ record, onClose }: DialogProps<"/categories">) {
  const { t } = useTranslation();
  return (
    <RecordDialog
      title={record === undefined ? t("people.newCategory") : t("record.edit", { name: record.name ?? "" })}
      collection="/categories"
      fields={[
        { name: "name", label: t("record.name"), required: true, maxLength: 200 },
        { name: "code", label: t("record.code"), maxLength: 50 },
        { name: "parent_id", label: t("people.parent"), input: "category" },
      ]}
      record={record}
      onClose={onClose}
    />
  );
}
