import { limits } from "@asset-register/proto/limits";
import { Fieldset, Stack, Text, TextInput } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { api, queries } from "../../../api/client.ts";
import { ActionDialog } from "../../../parts/action-dialog.tsx";
import { changeOrRebase } from "../../../parts/change-or-rebase.ts";
import { optionsOf } from "../../../parts/chosen.ts";
import { ifMatch, rereadIfChanged } from "../../../parts/if-match.ts";
import { ManySelect } from "../../../parts/many-select.tsx";
import { useChoices, usePlaces } from "../../../parts/records.ts";
import { showAtFields } from "../../../parts/show-at-fields.ts";
import { useRebasedForm } from "../../../parts/use-rebased-form.ts";
import { PresenceFields } from "../presence/presence-fields.tsx";
import { inheritedOf } from "../presence/presence-values.ts";
import { type Zone, zoneBodyOf, zoneChangesOf, zoneValuesOf } from "./zone-values.ts";

type Props = { zone?: Zone; onClose: () => void };

/** Creates a zone, or changes one. */
export function ZoneForm({ zone, onClose }: Props) {
  const { t } = useTranslation();
  const { form, base, rebase } = useRebasedForm(zone, zoneValuesOf);
  const { values } = form;
  const changes = base && zoneChangesOf(values, base);
  const isSame = changes !== undefined && Object.keys(changes).length === 0;
  const save = async (): Promise<void> => {
    if (base === undefined) {
      await api.POST("/zones", { body: zoneBodyOf(values) });
      return;
    }
    const path = { id: base.id };
    const params = { path, header: ifMatch(base) };
    const change = api.PATCH("/zones/{id}", { params, body: changes ?? {} });
    const reread = async (): Promise<void> => {
      const { data: now } = await api.GET("/zones/{id}", { params: { path } });
      if (now !== undefined) rebase(now);
    };
    await rereadIfChanged("/zones", changeOrRebase(change, reread));
  };
  const { data: settings } = queries.useQuery("get", "/reader-settings");
  const places = usePlaces();
  const readers = useChoices("/readers");
  return (
    <ActionDialog
      title={zone === undefined ? t("zones.new") : t("record.edit", { name: zone.name })}
      submit={t(zone === undefined ? "action.create" : "action.save")}
      done={t(zone === undefined ? "record.created" : "record.saved", { name: values.name })}
      changes={["/zones", "/readers"]}
      disabled={values.name.trim() === "" || isSame}
      size="lg"
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
      <ManySelect
        label={t("zones.locations")}
        description={t("zones.locationsHint")}
        searchable
        limit={100}
        nothingFoundMessage={t("nav.nothingFound")}
        data={optionsOf(places, zone?.locations)}
        {...form.getInputProps("location_ids")}
      />
      <ManySelect
        label={t("zones.readers")}
        description={t("zones.readersHint")}
        searchable
        limit={100}
        nothingFoundMessage={t("nav.nothingFound")}
        data={optionsOf(readers, zone?.readers)}
        {...form.getInputProps("reader_ids")}
      />
      <Fieldset legend={t("presence.title")}>
        <Stack gap="sm">
          <Text size="sm" c="dimmed">
            {t("presence.ofZone")}
          </Text>
          <PresenceFields
            inherited={settings && inheritedOf(values.presence, settings.presence)}
            inputProps={(field) => form.getInputProps(`presence.${field}`)}
          />
        </Stack>
      </Fieldset>
    </ActionDialog>
  );
}
