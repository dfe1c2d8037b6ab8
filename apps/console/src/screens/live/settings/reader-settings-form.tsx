import { limits, readerDefaults } from "@asset-register/proto/limits";
import { Alert, Button, Card, Fieldset, Group, NumberInput, Stack, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { api } from "../../../api/client.ts";
import { ifMatch } from "../../../parts/if-match.ts";
import { useSettingsForm } from "../../../parts/use-settings-form.ts";
import { FilterFields } from "../filters/filter-fields.tsx";
import { PresenceFields } from "../presence/presence-fields.tsx";
import { inheritedOf } from "../presence/presence-values.ts";
import {
  type ReaderSettings,
  type SettingsValues,
  settingsBodyOf,
  settingsValuesOf,
} from "./reader-settings-values.ts";
import { TravelPairs } from "./travel-pairs.tsx";

/** Changes the settings for all readers. What was typed stays when a request fails. */
export function ReaderSettingsForm({ settings }: { settings: ReaderSettings }) {
  const { t } = useTranslation();
  const { form, base, busy, failure, submit } = useSettingsForm(settings, {
    valuesOf: settingsValuesOf,
    change: (sent, read) =>
      api.PUT("/reader-settings", { params: { header: ifMatch(read) }, body: settingsBodyOf(sent) }),
    read: () => api.GET("/reader-settings"),
    saved: t("readerSettings.saved"),
    paths: ["/reader-settings"],
  });
  const { values } = form;
  const bodyText = (one: SettingsValues) => JSON.stringify(settingsBodyOf(one));
  const isSame = bodyText(values) === bodyText(settingsValuesOf(base));

  return (
    <Card withBorder maw={760}>
      <form onSubmit={submit}>
        <Stack>
          <Text size="sm" c="dimmed">
            {t("readerSettings.text")}
          </Text>
          <Fieldset legend={t("presence.title")}>
            <PresenceFields
              inherited={inheritedOf(values.presence)}
              inputProps={(field) => form.getInputProps(`presence.${field}`)}
            />
          </Fieldset>
          <FilterFields
            hint={t("filters.ofWorkspace")}
            maxRows={limits.workspaceFilters}
            filters={values.filters}
            onChange={(filters) => form.setValues({ filters })}
            inputProps={form.getInputProps}
          />
          <NumberInput
            label={t("readerSettings.unknown")}
            description={t("readerSettings.unknownHint")}
            placeholder={t("presence.default", { value: readerDefaults.unknownPerHour })}
            min={0}
            max={limits.unknownPerHour}
            allowDecimal={false}
            {...form.getInputProps("unknown_per_hour")}
          />
          <NumberInput
            label={t("travel.default")}
            description={t("travel.defaultHint")}
            placeholder={t("presence.default", { value: `${readerDefaults.travelSeconds} s` })}
            min={0}
            max={limits.travelSeconds}
            allowDecimal={false}
            suffix=" s"
            {...form.getInputProps("travel.default_seconds")}
          />
          <TravelPairs form={form} />
          {failure && (
            <Alert color="red" role="alert">
              {failure}
            </Alert>
          )}
          <Group justify="flex-end">
            <Button type="submit" loading={busy} disabled={isSame}>
              {t("action.save")}
            </Button>
          </Group>
        </Stack>
      </form>
    </Card>
  );
}
