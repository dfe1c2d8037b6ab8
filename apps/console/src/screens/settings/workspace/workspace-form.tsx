import { limits } from "@asset-register/proto/limits";
import { Alert, Button, Card, Group, Select, Stack, Switch, Text, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { api, invalidate, type Schemas } from "../../../api/client.ts";
import { ApiError } from "../../../api/problem.ts";
import { ifMatch } from "../../../parts/if-match.ts";
import { notifyDone, reasonOf } from "../../../parts/notify.tsx";
import { rebased } from "../../../parts/rebased.ts";
import { changesOf, valuesOf, type WorkspaceValues } from "./workspace-values.ts";

type Props = { workspace: Schemas["Workspace"]; language: string };

/** Changes the settings of the workspace. What was typed stays when a request fails. */
export function WorkspaceForm({ workspace, language }: Props) {
  const { t } = useTranslation();
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string>();
  // The record that was read: If-Match compares its rev, and only changed fields are sent.
  const [base, setBase] = useState(workspace);
  const form = useForm<WorkspaceValues>({ initialValues: valuesOf(workspace) });
  const changes = changesOf(form.values, base);

  const save = async (sent: WorkspaceValues): Promise<void> => {
    setBusy(true);
    setFailure(undefined);
    try {
      const { data } = await api.PATCH("/workspace", {
        params: { header: ifMatch(base) },
        body: changesOf(sent, base),
      });
      if (data !== undefined) {
        setBase(data);
        form.setValues(rebased(form.getValues(), sent, valuesOf(data)));
      }
      notifyDone(t("workspace.saved"));
      invalidate("/workspace", "/tenant_config");
    } catch (error) {
      await explain(error);
    } finally {
      setBusy(false);
    }
  };

  const explain = async (error: unknown): Promise<void> => {
    if (error instanceof ApiError && error.status === 412) {
      const { data } = await api.GET("/workspace");
      if (data !== undefined) {
        form.setValues(rebased(form.getValues(), valuesOf(base), valuesOf(data)));
        setBase(data);
      }
      setFailure(t("settings.changedMeanwhile"));
      return;
    }
    if (error instanceof ApiError) form.setErrors(error.fields);
    setFailure(reasonOf(error));
  };

  return (
    <Card withBorder maw={560}>
      <form onSubmit={form.onSubmit((values) => void save(values))}>
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
