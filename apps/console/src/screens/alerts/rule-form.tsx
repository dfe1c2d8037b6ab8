import { limits } from "@asset-register/proto/limits";
import { Alert, NumberInput, Select, Text, Textarea, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { api } from "../../api/client.ts";
import { ActionDialog } from "../../parts/action-dialog.tsx";
import { ifMatch, rereadIfChanged } from "../../parts/if-match.ts";
import { useChoicesWith, usePlaces } from "../../parts/records.ts";
import { showAtFields } from "../../parts/show-at-fields.ts";
import { useTenant } from "../../parts/workspace.ts";
import { useZones } from "../../parts/zones.ts";
import { ConditionFields } from "./condition-fields.tsx";
import { RuleBacktest } from "./rule-backtest.tsx";
import { type RuleNames, ruleSentence } from "./rule-sentence.ts";
import {
  channels,
  isComplete,
  namesOfRule,
  type Rule,
  type RuleValues,
  resolvesAlerts,
  ruleBodyOf,
  ruleChangesOf,
  ruleValuesOf,
  scopes,
  types,
} from "./rule-values.ts";
import { ScopeFields } from "./scope-fields.tsx";

const MAX_COOLDOWN_MINUTES = limits.cooldownSeconds / 60;

type Props = { rule?: Rule; onSecret: (title: string, secret: string) => void; onClose: () => void };

/** Creates a rule, or changes one. A sentence says what the rule will do, while one types. */
export function RuleForm({ rule, onSecret, onClose }: Props) {
  const { t, i18n } = useTranslation();
  const form = useForm<RuleValues>({ initialValues: ruleValuesOf(rule) });
  // The name of an asset is known when it is chosen; there may be too many to list.
  const [asset, setAsset] = useState(
    rule?.scope_type === "asset" && rule.scope_id !== null
      ? { id: rule.scope_id, name: rule.scope?.name ?? rule.scope_id }
      : null,
  );
  const { values } = form;
  const names = useNames(values, rule);
  const shown = values.scope_type === "asset" ? { ...names, scope: asset?.name } : names;
  const changes = rule && ruleChangesOf(values, rule);
  const isSame = changes !== undefined && Object.keys(changes).length === 0;

  const save = async (): Promise<void> => {
    if (rule !== undefined) {
      const params = { path: { id: rule.id }, header: ifMatch(rule) };
      const request = api.PATCH("/alert-rules/{id}", { params, body: changes ?? {} });
      await rereadIfChanged("/alert-rules", request);
      return;
    }
    const { data } = await api.POST("/alert-rules", { body: ruleBodyOf(values) });
    if (data?.secret) onSecret(data.name, data.secret);
  };

  const setType = (type: RuleValues["type"]): void => {
    const keeps = scopes[type].includes(values.scope_type);
    form.setValues({ type, ...(!keeps && { scope_type: "all", scope_id: null }) });
  };

  return (
    <ActionDialog
      title={rule === undefined ? t("rules.new") : t("record.edit", { name: rule.name })}
      submit={t(rule === undefined ? "action.create" : "action.save")}
      done={t(rule === undefined ? "record.created" : "record.saved", { name: values.name })}
      changes={["/alert-rules", "/alerts", "/home"]}
      disabled={!isComplete(values) || isSame}
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
      <Select
        label={t("rules.type")}
        data={types.map((value) => ({ value, label: t(`ruleType.${value}`) }))}
        allowDeselect={false}
        value={values.type}
        onChange={(type) => type && setType(type as RuleValues["type"])}
      />
      <ConditionFields form={form} />
      <ScopeFields form={form} asset={asset} onAsset={setAsset} />
      <Select
        label={t("rules.channel")}
        data={channels.map((value) => ({ value, label: t(`ruleChannel.${value}`) }))}
        allowDeselect={false}
        disabled={rule !== undefined}
        description={rule !== undefined && t("rules.channelFixed")}
        {...form.getInputProps("channel")}
      />
      {values.channel === "email" && (
        <Textarea
          label={t("rules.emails")}
          description={t("rules.emailsHint")}
          required
          autosize
          maxLength={limits.channelTarget}
          {...form.getInputProps("channel_target")}
        />
      )}
      {values.channel === "webhook" && (
        <TextInput
          type="url"
          label={t("rules.url")}
          description={t("rules.urlHint")}
          required
          maxLength={limits.url}
          {...form.getInputProps("channel_target")}
        />
      )}
      <NumberInput
        label={t("rules.cooldown")}
        description={t("rules.cooldownHint")}
        min={0}
        max={MAX_COOLDOWN_MINUTES}
        decimalScale={2}
        {...form.getInputProps("cooldown_minutes")}
        error={form.errors.cooldown_minutes ?? form.errors.cooldown_seconds}
      />
      <Alert title={t("rules.sentence")} color="brand" variant="light">
        <Text size="sm" className="wrap" aria-live="polite" c="var(--mantine-color-text)">
          {ruleSentence(t, i18n.language, ruleBodyOf(values), shown)}
        </Text>
      </Alert>
      <RuleBacktest values={values} />
      {changes && resolvesAlerts(changes) && <Alert color="yellow">{t("rules.resolves")}</Alert>}
    </ActionDialog>
  );
}

/** The names of what is chosen in the form. */
function useNames(values: RuleValues, rule: Rule | undefined): RuleNames {
  const { zone_id, status_ids, scope_type, scope_id } = values;
  const zones = useZones();
  const places = usePlaces(scope_type === "location");
  const isCategory = scope_type === "category";
  const { choices: categories } = useChoicesWith("/categories", isCategory ? scope_id : null, isCategory);
  const statuses = useTenant()?.statuses ?? [];
  const before = rule && namesOfRule(rule);
  const nameIn = (records: readonly { id: string; name: string }[], id: string | null) =>
    records.find((one) => one.id === id)?.name;
  const lists = { zone: zones, location: places, category: categories };
  const scope = scope_type in lists ? nameIn(lists[scope_type as keyof typeof lists], scope_id) : undefined;
  return {
    zone: nameIn(zones, zone_id) ?? (zone_id === null ? undefined : before?.zone),
    scope: scope ?? (scope_id !== null && scope_id === rule?.scope_id ? before?.scope : undefined),
    statuses: status_ids.map((id) => nameIn(statuses, id) ?? id),
  };
}
