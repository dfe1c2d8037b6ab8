import { limits } from "@asset-register/proto/limits";
import { Select, Switch, Textarea, TextInput } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { api } from "../../../api/client.ts";
import { ActionDialog } from "../../../parts/action-dialog.tsx";
import { changeOrRebase } from "../../../parts/change-or-rebase.ts";
import { ifMatch, rereadIfChanged } from "../../../parts/if-match.ts";
import { PlaceSelect, RecordSelect } from "../../../parts/record-select.tsx";
import { showAtFields } from "../../../parts/show-at-fields.ts";
import { useRebasedForm } from "../../../parts/use-rebased-form.ts";
import { useZones } from "../../../parts/zones.ts";
import { FilterFields } from "../filters/filter-fields.tsx";
import { AntennaFields } from "./antenna-fields.tsx";
import type { Reader } from "./reader-card.tsx";
import { readerBodyOf, readerChangesOf, readerValuesOf, referenceError } from "./reader-values.ts";

const kinds = ["fixed_portal", "handheld_sled", "phone"] as const satisfies Reader["kind"][];

type Props = { reader?: Reader; onSecret: (title: string, secret: string) => void; onClose: () => void };

/** Registers a reader, whose secret is shown once, or changes one. */
export function ReaderForm({ reader, onSecret, onClose }: Props) {
  const { t } = useTranslation();
  const zones = useZones();
  const { form, base, rebase } = useRebasedForm(reader, readerValuesOf);
  const { values, errors } = form;
  const changes = base && readerChangesOf(values, base);
  const isSame = changes !== undefined && Object.keys(changes).length === 0;
  const save = async (): Promise<void> => {
    if (base === undefined) {
      const { data } = await api.POST("/readers", { body: readerBodyOf(values) });
      if (data !== undefined) onSecret(data.name, data.secret);
      return;
    }
    const path = { id: base.id };
    const params = { path, header: ifMatch(base) };
    const change = api.PATCH("/readers/{id}", { params, body: changes ?? {} });
    const reread = async (): Promise<void> => {
      const { data: now } = await api.GET("/readers/{id}", { params: { path } });
      if (now !== undefined) rebase(now);
    };
    await rereadIfChanged("/readers", changeOrRebase(change, reread));
  };
  return (
    <ActionDialog
      title={reader === undefined ? t("readers.new") : t("record.edit", { name: reader.name })}
      submit={t(reader === undefined ? "action.create" : "action.save")}
      done={t(reader === undefined ? "record.created" : "record.saved", { name: values.name })}
      changes={["/readers", "/zones"]}
      disabled={values.name.trim() === "" || isSame}
      size="lg"
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
      <RecordSelect label={t("readers.zone")} choices={zones} {...form.getInputProps("zone_id")} />
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
      <AntennaFields form={form} zones={zones} />
      <FilterFields
        hint={t("filters.ofReader")}
        maxRows={limits.readerFilters}
        filters={values.filters}
        onChange={(filters) => form.setValues({ filters })}
        inputProps={form.getInputProps}
      />
      <Textarea
        label={t("readers.references")}
        description={t("readers.referencesHint", { most: limits.referenceEpcs })}
        autosize
        maxRows={8}
        {...form.getInputProps("reference_epcs")}
        error={referenceError(errors, values.reference_epcs)}
      />
    </ActionDialog>
  );
}
