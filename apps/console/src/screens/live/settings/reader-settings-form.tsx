import { limits } from "@asset-register/proto/limits";
import { Alert, Button, Card, Fieldset, Group, NumberInput, Stack, Text } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { api, invalidate } from "../../../api/client.ts";
import { ApiError } from "../../../api/problem.ts";
import { ifMatch } from "../../../parts/if-match.ts";
import { notifyDone, reasonOf } from "../../../parts/notify.tsx";
import { rebased } from "../../../parts/rebased.ts";
import { FilterFields } from "../filters/filter-fields.tsx";
import { PresenceFields } from "../presence/presence-fields.tsx";
import { inheritedOf } from "../presence/presence-values.ts";
import {
  DEFAULT_TRAVEL_SECONDS,
  DEFAULT_UNKNOWN_PER_HOUR,
  type ReaderSettings,
  type SettingsValues,
  settingsBodyOf,
  settingsValuesOf,
} from "./reader-settings-values.ts";
import { TravelPairs } from "./travel-pairs.tsx";

/** Changes the settings for all readers. What was typed stays when a request fails. */
export function ReaderSettingsForm({ settings }: { settings: ReaderSettings }) {
  const { t } = useTranslation();
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string>();
  // The record that was read: If-Match compares its rev.
  const [base, setBase] = useState(settings);
  const form = useForm<SettingsValues>({ initialValues: settingsValuesOf(settings) });
  const { values } = form;
  const bodyText = (one: SettingsValues) => JSON.stringify(settingsBodyOf(one));
  const isSame = bodyText(values) === bodyText(settingsValuesOf(base));

  const show = (next: ReaderSettings, before: SettingsValues): void => {
    form.setValues(rebased(form.getValues(), before, settingsValuesOf(next)));
    setBase(next);
  };

  const save = async (sent: SettingsValues): Promise<void> => {
    setBusy(true);
    setFailure(undefined);
    try {
      const params = { header: ifMatch(base) };
      const { data } = await api.PUT("/reader-settings", { params, body: settingsBodyOf(sent) });
      if (data !== undefined) show(data, sent);
      notifyDone(t("readerSettings.saved"));
      invalidate("/reader-settings");
    } catch (error) {
      await explain(error);
    } finally {
      setBusy(false);
    }
  };

  const explain = async (error: unknown): Promise<void> => {
    if (error instanceof ApiError && error.status === 412) {
      const { data } = await api.GET("/reader-settings");
      if (data !== undefined) show(data, settingsValuesOf(base));
      setFailure(t("record.changed"));
      return;
    }
    if (error instanceof ApiError) form.setErrors(error.fields);
    setFailure(reasonOf(error));
  };

  return (
    <Card withBorder maw={760}>
      <form onSubmit={form.onSubmit((all) => void save(all))}>
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
            placeholder={t("presence.default", { value: DEFAULT_UNKNOWN_PER_HOUR })}
            min={0}
            max={limits.unknownPerHour}
            allowDecimal={false}
            {...form.getInputProps("unknown_per_hour")}
          />
          <NumberInput
            label={t("travel.default")}
            description={t("travel.defaultHint")}
            placeholder={t("presence.default", { value: `${DEFAULT_TRAVEL_SECONDS} s` })}
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
