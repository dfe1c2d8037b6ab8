import { limits } from "@asset-register/proto/limits";
import { Alert, Button, Card, Group, Select, Stack, Switch, Text, TextInput } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { api, type Schemas } from "../../../api/client.ts";
import { ifMatch } from "../../../parts/if-match.ts";
import { useSettingsForm } from "../../../parts/use-settings-form.ts";
import { changesOf, valuesOf } from "./workspace-values.ts";

type Props = { workspace: Schemas["Workspace"]; language: string };

/** Changes the settings of the workspace. What was typed stays when a request fails. */
export function WorkspaceForm({ workspace, language }: Props) {
  const { t } = useTranslation();
  const { form, base, busy, failure, submit } = useSettingsForm(workspace, {
    valuesOf,
    change: (sent, read) =>
      api.PATCH("/workspace", { params: { header: ifMatch(read) }, body: changesOf(sent, read) }),
    read: () => api.GET("/workspace"),
    saved: t("workspace.saved"),
    paths: ["/workspace", "/tenant_config"],
  });
  // Only changed fields are sent.
  const changes = changesOf(form.values, base);

  return (
    <Card withBorder maw={560}>
      <form onSubmit={submit}>
        <Stack>
          <TextInput
            label={t("workspace.name")}
            required
            maxLength={limits.accountName}
            {...form.getInputProps("name")}
          />
          <Select
            label={t("workspace.time_zone")}
            description={t("workspace.timeZoneHint")}
            searchable
            allowDeselect={false}
            limit={100}
            nothingFoundMessage={t("nav.nothingFound")}
            data={timeZones(base.time_zone)}
            {...form.getInputProps("time_zone")}
          />
          <Select
            label={t("workspace.fiscal_year_start")}
            allowDeselect={false}
            data={months(language)}
            {...form.getInputProps("fiscal_year_start")}
            value={`${form.values.fiscal_year_start}`}
            onChange={(month) => form.setFieldValue("fiscal_year_start", Number(month))}
          />
          <TextInput
            label={t("workspace.number_prefix")}
            description={t("workspace.prefixHint")}
            required
            maxLength={limits.numberPrefix}
            {...form.getInputProps("number_prefix")}
          />
          <Switch
            label={t("workspace.requireMfa")}
            description={t("workspace.requireMfaHint")}
            {...form.getInputProps("require_mfa", { type: "checkbox" })}
          />
          <Text size="sm" c="dimmed">
            {t("workspace.fixed", { plan: t(`workspace.${base.plan}`), currency: base.currency })}
          </Text>
          {failure && (
            <Alert color="red" role="alert">
              {failure}
            </Alert>
          )}
          <Group justify="flex-end">
            <Button type="submit" loading={busy} disabled={Object.keys(changes).length === 0}>
              {t("action.save")}
            </Button>
          </Group>
        </Stack>
      </form>
    </Card>
  );
}

/** All zones that the browser knows, and the one that is set. */
const timeZones = (current: string): string[] => [
  ...new Set([current, "UTC", ...Intl.supportedValuesOf("timeZone")]),
];

function months(language: string): { value: string; label: string }[] {
  const format = new Intl.DateTimeFormat(language, { month: "long", timeZone: "UTC" });
  return Array.from({ length: 12 }, (_, month) => ({
    value: `${month + 1}`,
    label: format.format(Date.UTC(2026, month, 1)),
  }));
}
