import { Checkbox, Group, Input, NumberInput, Text } from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";
import { useTranslation } from "react-i18next";
import { ManySelect } from "../../parts/many-select.tsx";
import { RecordSelect } from "../../parts/record-select.tsx";
import { useTenant } from "../../parts/workspace.ts";
import { useZones } from "../../parts/zones.ts";
import { dayName } from "./rule-sentence.ts";
import { hasZone, type RuleValues, reasons, weekdays } from "./rule-values.ts";

const MAX_HOURS = 8_760;
const MAX_MINUTES = 10_080;
const MAX_DEGRADED_MINUTES = 1_440;

type Props = { form: UseFormReturnType<RuleValues> };

/** The fields that a type of rule has. */
export function ConditionFields({ form }: Props) {
  const { t } = useTranslation();
  const zones = useZones();
  const statuses = useTenant()?.statuses ?? [];
  const { type } = form.values;
  // The server names the condition as a whole.
  const error = form.errors.condition;
  return (
    <>
      {hasZone(type) && (
        <RecordSelect
          label={t("rules.zone")}
          required
          choices={zones}
          {...form.getInputProps("zone_id")}
          error={error}
        />
      )}
      {type === "after_hours" && <OpeningHours form={form} />}
      {type === "status_mismatch" && (
        <ManySelect
          label={t("rules.statuses")}
          required
          data={statuses.map(({ id, name }) => ({ value: id, label: name }))}
          {...form.getInputProps("status_ids")}
          error={error}
        />
      )}
      {type === "not_seen_for" && (
        <NumberInput
          label={t("rules.hours")}
          required
          min={0.01}
          max={MAX_HOURS}
          decimalScale={2}
          {...form.getInputProps("hours")}
          error={error}
        />
      )}
      {type === "reader_degraded" && (
        <ManySelect
          label={t("rules.reasons")}
          description={t("rules.reasonsHint")}
          data={reasons.map((reason) => ({ value: reason, label: t(`readerReason.${reason}`) }))}
          {...form.getInputProps("reasons")}
        />
      )}
      {(type === "reader_offline" || type === "reader_degraded") && (
        <NumberInput
          label={t(type === "reader_offline" ? "rules.minutes" : "rules.minutesDegraded")}
          required
          min={1}
          max={type === "reader_offline" ? MAX_MINUTES : MAX_DEGRADED_MINUTES}
          allowDecimal={false}
          {...form.getInputProps("minutes")}
          error={error}
        />
      )}
    </>
  );
}

function OpeningHours({ form }: Props) {
  const { t, i18n } = useTranslation();
  const { open_from, open_to } = form.values;
  return (
    <>
      <Checkbox.Group label={t("rules.days")} {...form.getInputProps("open_days")}>
        <Group gap="sm" mt={6}>
          {weekdays.map((day) => (
            <Checkbox key={day} value={day} label={dayName(i18n.language, day)} />
          ))}
        </Group>
      </Checkbox.Group>
      <Group grow align="flex-start">
        {(["open_from", "open_to"] as const).map((field) => (
          <Input.Wrapper key={field} label={t(field === "open_from" ? "rules.from" : "rules.to")} id={field}>
            <Input id={field} type="time" required {...form.getInputProps(field)} />
          </Input.Wrapper>
        ))}
      </Group>
      {form.errors.condition && (
        <Text size="xs" c="red.7" role="alert">
          {form.errors.condition}
        </Text>
      )}
      {open_from > open_to && (
        <Text size="xs" c="dimmed">
          {t("rules.midnight")}
        </Text>
      )}
    </>
  );
}
