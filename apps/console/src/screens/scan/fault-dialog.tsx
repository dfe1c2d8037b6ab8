import { Checkbox, FileInput, Select, Textarea, TextInput } from "@mantine/core";
import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { api, type Schemas } from "../../api/client.ts";
import { toForm } from "../../api/form.ts";
import { ActionDialog } from "../../parts/action-dialog.tsx";

const priorities = ["low", "medium", "high", "critical"] as const;

type Props = { asset: { id: string; name: string }; onClose: () => void };

/** Reports that an asset is broken: a work order, with a photo if there is one. */
export function FaultDialog({ asset, onClose }: Props) {
  const { t } = useTranslation();
  const [title, setTitle] = useState("");
  const [description, setDescription] = useState("");
  const [priority, setPriority] = useState<(typeof priorities)[number]>("medium");
  const [down, setDown] = useState(false);
  const [photo, setPhoto] = useState<File | null>(null);
  // If only the photo fails, a repeat sends only the photo.
  const made = useRef<Schemas["WorkOrder"]>(undefined);
  const report = async (): Promise<void> => {
    if (made.current === undefined) {
      const { data } = await api.POST("/work-orders", {
        body: {
          asset_id: asset.id,
          title,
          type: "corrective",
          priority,
          description: description || null,
          asset_down: down,
        },
      });
      made.current = data;
    }
    if (photo !== null)
      await api.POST("/assets/{id}/attachments", {
        params: { path: { id: asset.id } },
        body: { file: "", description: title },
        bodySerializer: (fields) => toForm({ ...fields, file: photo }),
      });
  };
  return (
    <ActionDialog
      title={`${t("scan.fault")}: ${asset.name}`}
      submit={t("scan.report")}
      done={t("scan.reported", { name: asset.name })}
      changes={["/work-orders", "/assets", "/maintenance", "/home"]}
      disabled={title.trim() === ""}
      onClose={onClose}
      action={report}
    >
      <TextInput
        label={t("scan.faultTitle")}
        placeholder={t("scan.faultExample")}
        required
        data-autofocus
        maxLength={200}
        value={title}
        onChange={(event) => setTitle(event.currentTarget.value)}
      />
      <Textarea
        label={t("asset.description")}
        autosize
        minRows={2}
        value={description}
        onChange={(event) => setDescription(event.currentTarget.value)}
      />
      <Select
        label={t("scan.priority")}
        data={priorities.map((value) => ({ value, label: t(`scan.${value}`) }))}
        value={priority}
        onChange={(value) => value && setPriority(value)}
        allowDeselect={false}
      />
      <Checkbox
        label={t("scan.down")}
        checked={down}
        onChange={(event) => setDown(event.currentTarget.checked)}
      />
      <FileInput
        label={t("scan.photo")}
        placeholder={t("scan.choosePhoto")}
        accept="image/*"
        clearable
        clearButtonProps={{ "aria-label": t("action.clear") }}
        value={photo}
        onChange={setPhoto}
      />
    </ActionDialog>
  );
}
