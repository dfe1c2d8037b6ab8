import { limits } from "@asset-register/proto/limits";
import { Select, Switch, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useTranslation } from "react-i18next";
import { api } from "../../../api/client.ts";
import { ActionDialog } from "../../../parts/action-dialog.tsx";
import { ifMatch, rereadIfChanged } from "../../../parts/if-match.ts";
import { PlaceSelect, RecordSelect } from "../../../parts/record-select.tsx";
import { showAtFields } from "../../../parts/show-at-fields.ts";
import { useZones } from "../../../parts/zones.ts";
import type { Reader } from "./reader-card.tsx";

const kinds = ["fixed_portal", "handheld_sled", "phone"] as const satisfies Reader["kind"][];

type Values = Pick<Reader, "name" | "kind" | "zone_id" | "location_id" | "auto_move">;

type Props = { reader?: Reader; onSecret: (title: string, secret: string) => void; onClose: () => void };

/** Registers a reader, whose secret is shown once, or changes one. */
export function ReaderForm({ reader, onSecret, onClose }: Props) {
  const { t } = useTranslation();
  const form = useForm<Values>({
    initialValues: {
      name: reader?.name ?? "",
      kind: reader?.kind ?? "fixed_portal",
      zone_id: reader?.zone_id ?? null,
      location_id: reader?.location_id ?? null,
      auto_move: reader?.auto_move ?? false,
    },
  });
  const { values } = form;
  const save = async (): Promise<void> => {
    const body = { ...values, name: values.name.trim() };
    if (reader === undefined) {
      const { data } = await api.POST("/readers", { body });
      if (data !== undefined) onSecret(data.name, data.secret);
      return;
    }
    const fields = ["name", "zone_id", "location_id", "auto_move"] as const;
    const changed = fields.filter((field) => body[field] !== reader[field]);
    const params = { path: { id: reader.id }, header: ifMatch(reader) };
    const changes = Object.fromEntries(changed.map((field) => [field, body[field]]));
    await rereadIfChanged("/readers", api.PATCH("/readers/{id}", { params, body: changes }));
  };
  return (
    <ActionDialog
      title={reader === undefined ? t("readers.new") : t("record.edit", { name: reader.name })}
      submit={t(reader === undefined ? "action.create" : "action.save")}
      done={t(reader === undefined ? "record.created" : "record.saved", { name: values.name })}
      changes={["/readers", "/zones"]}
      disabled={values.name.trim() === "" || (reader !== undefined && !form.isDirty())}
      onClose={onClose}
      action={() => showAtFields(form, save)}
    >
      <TextInput
        label={t("readers.name")}
        required
        maxLength={limits.name}
        data-autofocus
        {...form.getInputProps("name")}
      />
      <Select
        label={t("readers.kind")}
        data={kinds.map((value) => ({ value, label: t(`readers.${value}`) }))}
        allowDeselect={false}
        disabled={reader !== undefined}
        description={reader !== undefined && t("readers.kindFixed")}
        {...form.getInputProps("kind")}
      />
      <RecordSelect label={t("readers.zone")} choices={useZones()} {...form.getInputProps("zone_id")} />
      <PlaceSelect
        label={t("readers.location")}
        description={t("readers.locationHint")}
        {...form.getInputProps("location_id")}
      />
      {values.kind === "fixed_portal" && (
        <Switch
          label={t("readers.autoMove")}
          description={t("readers.autoMoveHint")}
          {...form.getInputProps("auto_move", { type: "checkbox" })}
        />
      )}
    </ActionDialog>
  );
}
