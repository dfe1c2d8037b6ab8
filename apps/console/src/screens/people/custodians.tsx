import { useTranslation } from "react-i18next";
import { useSession } from "../../api/use-session.ts";
import { RecordDialog } from "../../parts/record-dialog.tsx";
import type { PeopleSearch } from "./people-search.ts";
import { type DialogProps, RecordTab } from "./record-tab.tsx";

/** The people who can have assets. They need no account. */
export function Custodians({ search }: { search: PeopleSearch }) {
  const { t } = useTranslation();
  return (
    <RecordTab
      collection="/custodians"
      search={search}
      texts={{
        new: t("people.newCustodian"),
        search: t("people.searchCustodians"),
        emptyTitle: t("people.noCustodians"),
        emptyText: t("people.noCustodiansText"),
        deleteText: t("people.deleteCustodian"),
      }}
      columns={[
        { label: t("people.employeeNo"), text: (one) => one.employee_no },
        { label: t("people.email"), text: (one) => one.email },
        { label: t("assets.department"), text: (one) => one.department?.name },
        { label: t("people.user"), text: (one) => one.user?.name },
      ]}
      nameOf={({ name, id }) => name ?? id}
      assetsOf={(custodian) => ({ custodian })}
      Dialog={CustodianDialog}
    />
  );
}

function CustodianDialog({ record, onClose }: DialogProps<"/custodians">) {
  const { t } = useTranslation();
  const { may } = useSession();
  return (
    <RecordDialog
      title={record === undefined ? t("people.newCustodian") : t("record.edit", { name: record.name ?? "" })}
      collection="/custodians"
      fields={[
        { name: "name", label: t("record.name"), required: true, maxLength: 200 },
        { name: "email", label: t("people.email"), input: "email", maxLength: 254 },
        { name: "employee_no", label: t("people.employeeNo"), maxLength: 50 },
        { name: "department_id", label: t("assets.department"), input: "department" },
        // Only admins may list users.
        ...(may("admin") ? [{ name: "user_id", label: t("people.user"), input: "user" } as const] : []),
      ]}
      record={record}
      onClose={onClose}
    />
  );
}
