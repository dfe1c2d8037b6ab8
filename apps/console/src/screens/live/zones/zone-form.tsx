import { limits } from "@asset-register/proto/limits";
import { MultiSelect, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useTranslation } from "react-i18next";
import { api, type Schemas } from "../../../api/client.ts";
import { ActionDialog } from "../../../parts/action-dialog.tsx";
import { optionsOf } from "../../../parts/chosen.ts";
import { ifMatch, rereadIfChanged } from "../../../parts/if-match.ts";
import { useChoices, usePlaces } from "../../../parts/records.ts";
import { showAtFields } from "../../../parts/show-at-fields.ts";

type Zone = Schemas["Zone"];
type Props = { zone?: Zone; onClose: () => void };

/** Creates a zone, or changes one. */
export function ZoneForm({ zone, onClose }: Props) {
  const { t } = useTranslation();
  const form = useForm({
    initialValues: {
      name: zone?.name ?? "",
      location_ids: zone?.location_ids ?? [],
      reader_ids: zone?.reader_ids ?? [],
    },
  });
  const { values } = form;
  const save = async (): Promise<void> => {
    const name = values.name.trim();
    if (zone === undefined) {
      await api.POST("/zones", { body: { ...values, name } });
      return;
    }
    const body = {
      ...(name !== zone.name && { name }),
      ...(differs(values.location_ids, zone.location_ids) && { location_ids: values.location_ids }),
      ...(differs(values.reader_ids, zone.reader_ids) && { reader_ids: values.reader_ids }),
    };
    const params = { path: { id: zone.id }, header: ifMatch(zone) };
    await rereadIfChanged("/zones", api.PATCH("/zones/{id}", { params, body }));
  };
  const places = usePlaces();
  const readers = useChoices("/readers");
  return (
    <ActionDialog
      title={zone === undefined ? t("zones.new") : t("record.edit", { name: zone.name })}
      submit={t(zone === undefined ? "action.create" : "action.save")}
      done={t(zone === undefined ? "record.created" : "record.saved", { name: values.name })}
      changes={["/zones", "/readers"]}
      disabled={values.name.trim() === "" || (zone !== undefined && !form.isDirty())}
      onClose={onClose}
      action={() => showAtFields(form, save)}
    >
      <TextInput
        label={t("rules.name")}
        required
        maxLength={limits.name}
        data-autofocus
        {...form.getInputProps("name")}
      />
      <MultiSelect
        label={t("zones.locations")}
        description={t("zones.locationsHint")}
        searchable
        limit={100}
        nothingFoundMessage={t("nav.nothingFound")}
        data={optionsOf(places, zone?.locations)}
        {...form.getInputProps("location_ids")}
      />
      <MultiSelect
        label={t("zones.readers")}
        description={t("zones.readersHint")}
        searchable
        limit={100}
        nothingFoundMessage={t("nav.nothingFound")}
        data={optionsOf(readers, zone?.readers)}
        {...form.getInputProps("reader_ids")}
      />
    </ActionDialog>
  );
}

const differs = (a: readonly string[], b: readonly string[]): boolean =>
  a.toSorted().join() !== b.toSorted().join();
