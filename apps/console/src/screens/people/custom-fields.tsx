import { useTranslation } from "react-i18next";
import type { Schemas } from "../../api/client.ts";
import { CustomFieldDialog } from "./custom-field-dialog.tsx";
import type { PeopleSearch } from "./people-search.ts";
import { RecordTab } from "./record-tab.tsx";

/** The fields that the workspace has added to assets. */
export function CustomFields({ search }: { search: PeopleSearch }) {
  const { t } = useTranslation();
  const rules = ({ required, unique, status, error }: Schemas["CustomField"]): string =>
    [
      required && t("people.required"),
      unique && t("people.unique"),
      status === "indexing" && t("people.indexing"),
      error?.message,
    ]
      .filter(Boolean)
      .join(", ");
  const categories = (one: Schemas["CustomField"]): string =>
    one.category_ids.length === 0
      ? t("people.allCategories")
      : one.category_ids.map((id, index) => one.categories?.[index]?.name ?? id).join(", ");
  return (
    <RecordTab
      collection="/custom-fields"
      search={search}
      texts={{
        new: t("people.newField"),
        search: t("people.searchFields"),
        emptyTitle: t("people.noFields"),
        emptyText: t("people.noFieldsText"),
        deleteText: t("people.deleteField"),
      }}
      columns={[
        { label: t("people.key"), text: ({ key }) => key },
        { label: t("people.type"), text: ({ type }) => t(`fieldType.${type}`) },
        { label: t("people.rules"), text: rules },
        { label: t("people.categories"), text: categories },
      ]}
      nameOf={({ label }) => label}
      Dialog={CustomFieldDialog}
    />
  );
}
