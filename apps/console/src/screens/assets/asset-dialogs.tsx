import { NumberInput, Select, Text, TextInput } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { api, type Schemas } from "../../api/client.ts";
import { ActionDialog } from "../../parts/action-dialog.tsx";
import { CUSTODY_CHANGES } from "../../parts/custody/custody-changes.ts";
import { NoteField } from "../../parts/note-field.tsx";
import { useTenant } from "../../parts/workspace.ts";

export type AssetDialogProps = { asset: Schemas["Asset"]; onClose: () => void };

export function StatusDialog({ asset, onClose }: AssetDialogProps) {
  const { t } = useTranslation();
  const statuses = useTenant()?.statuses ?? [];
  const [status, setStatus] = useState(asset.status_id);
  const [note, setNote] = useState("");
  return (
    <ActionDialog
      title={t("asset.setStatus")}
      submit={t("action.apply")}
      done={t("issue.statusSet", { name: asset.name })}
      changes={CUSTODY_CHANGES}
      disabled={status === null || status === asset.status_id}
      onClose={onClose}
      action={() =>
        api.POST("/assets/{id}/status", {
          params: { path: { id: asset.id } },
          body: { status_id: status ?? "", note: note || null },
        })
      }
    >
      <Select
        label={t("assets.status")}
        data={statuses.map(({ id, name }) => ({ value: id, label: name }))}
        value={status}
        onChange={setStatus}
        allowDeselect={false}
        data-autofocus
      />
      <NoteField value={note} onChange={setNote} />
    </ActionDialog>
  );
}

const methods = ["sold", "scrapped", "donated", "lost", "transferred"] as const;

export function DisposeDialog({ asset, onClose }: AssetDialogProps) {
  const { t } = useTranslation();
  const [method, setMethod] = useState<(typeof methods)[number]>("scrapped");
  const [proceeds, setProceeds] = useState<string | number>("");
  const [date, setDate] = useState("");
  const [note, setNote] = useState("");
  return (
    <ActionDialog
      title={`${t("asset.dispose")}: ${asset.name}`}
      submit={t("asset.dispose")}
      done={t("issue.disposed", { name: asset.name })}
      changes={CUSTODY_CHANGES}
      danger
      onClose={onClose}
      action={() =>
        api.POST("/assets/{id}/dispose", {
          params: { path: { id: asset.id } },
          body: {
            method,
            proceeds: proceeds === "" ? null : proceeds,
            date: date || null,
            note: note || null,
          },
        })
      }
    >
      <Text size="sm" c="dimmed">
        {t("disposal.warning")}
      </Text>
      <Select
        label={t("disposal.method")}
        data={methods.map((value) => ({ value, label: t(`disposal.${value}`) }))}
        value={method}
        onChange={(value) => value && setMethod(value)}
        allowDeselect={false}
      />
      <NumberInput label={t("disposal.proceeds")} min={0} value={proceeds} onChange={setProceeds} />
      <TextInput
        type="date"
        label={t("disposal.date")}
        value={date}
        onChange={(event) => setDate(event.currentTarget.value)}
      />
      <NoteField value={note} onChange={setNote} />
    </ActionDialog>
  );
}

export function DeleteDialog({ asset, onClose }: AssetDialogProps) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  return (
    <ActionDialog
      title={t("asset.deleteTitle", { name: asset.name })}
      submit={t("action.delete")}
      done={t("asset.deletedDone", { name: asset.name })}
      changes={["/home"]}
      danger
      onClose={onClose}
      action={async () => {
        await api.DELETE("/assets/{id}", { params: { path: { id: asset.id } } });
        await navigate({ to: "/assets" });
      }}
    >
      <Text size="sm">{t("asset.deleteText")}</Text>
    </ActionDialog>
  );
}
