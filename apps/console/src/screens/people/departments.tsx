import { useTranslation } from "react-i18next";
import { RecordDialog } from "../../parts/record-dialog.tsx";
import type { PeopleSearch } from "./people-search.ts";
import { type DialogProps, RecordTab } from "./record-tab.tsx";

export function Departments({ search }: { search: PeopleSearch }) {
  const { t } = useTranslation();
  return (
    <RecordTab
      collection="/departments"
      search={search}
      texts={{
        new: t("people.newDepartment"),
        search: t("people.searchDepartments"),
        emptyTitle: t("people.noDepartments"),
        emptyText: t("people.noDepartmentsText"),
        deleteText: t("people.deleteDepartment"),
      }}
      columns={[
        { label: t("record.code"), text: (one) => one.code },
        { label: t("people.parent"), text: (one) => one.parent?.name },
      ]}
      nameOf={({ name, id }) => name ?? id}
      Dialog={DepartmentDialog}
    />
  );
}

function DepartmentDialog({ record, onClose }: DialogProps<"/departments">) {
  const { t } = useTranslation();
  return (
    <RecordDialog
      title={record === undefined ? t("people.newDepartment") : t("record.edit", { name: record.name ?? "" })}
      collection="/departments"
      fields={[
        { name: "name", label: t("record.name"), required: true, maxLength: 200 },
        { name: "code", label: t("record.code"), maxLength: 50 },
        { name: "parent_id", label: t("people.parent"), input: "department" },
      ]}
      record={record}
      onClose={onClose}
    />
  );
}
