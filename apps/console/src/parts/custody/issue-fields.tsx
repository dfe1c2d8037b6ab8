import { SegmentedControl, Select, TextInput } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { NoteField } from "../note-field.tsx";
import { CustodianSelect, DepartmentSelect, PlaceSelect } from "../record-select.tsx";
import { type HolderKind, holderKinds, type Issue } from "./issue.ts";
import { useConditions } from "./use-conditions.ts";

type Props = { value: Issue; onChange: (value: Issue) => void };

/** To whom, until when and in which condition assets are issued. */
export function IssueFields({ value, onChange }: Props) {
  const { t } = useTranslation();
  const conditions = useConditions();
  const set = (change: Partial<Issue>): void => onChange({ ...value, ...change });
  const select = {
    label: t(`issue.${value.kind}`),
    value: value.id,
    onChange: (id: string | null) => set({ id }),
    required: true,
  };
  return (
    <>
      <SegmentedControl
        fullWidth
        size="xs"
        aria-label={t("issue.to")}
        data={holderKinds.map((kind) => ({ value: kind, label: t(`issue.${kind}`) }))}
        value={value.kind}
        onChange={(kind) => set({ kind: kind as HolderKind, id: null })}
      />
      {value.kind === "custodian" && <CustodianSelect {...select} />}
      {value.kind === "department" && <DepartmentSelect {...select} />}
      {value.kind === "location" && <PlaceSelect {...select} />}
      {value.kind === "external" && (
        <TextInput
          label={t("issue.name")}
          required
          value={value.name}
          onChange={(event) => set({ name: event.currentTarget.value })}
        />
      )}
      <TextInput
        type="date"
        label={t("issue.due")}
        value={value.due}
        onChange={(event) => set({ due: event.currentTarget.value })}
      />
      <Select
        label={t("asset.condition")}
        data={conditions}
        value={value.condition}
        onChange={(condition) => set({ condition })}
      />
      <NoteField value={value.note} onChange={(note) => set({ note })} />
    </>
  );
}
