import { limits } from "@asset-register/proto/limits";
import { NumberInput, SimpleGrid } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { type Inherited, type PresenceField, presenceFields } from "./presence-values.ts";

const most = limits.presence;

const inputs = {
  report_interval_seconds: { min: 1, max: most.reportIntervalSeconds, suffix: " s", allowDecimal: false },
  confirm_reads: { min: 1, max: most.confirmReads, suffix: "", allowDecimal: false },
  dwell_seconds: { min: 0, max: most.dwellSeconds, suffix: " s", allowDecimal: false },
  leave_after_seconds: {
    ...{ min: most.leaveAfterSecondsLeast, max: most.leaveAfterSeconds, suffix: " s", allowDecimal: false },
  },
  margin_db: { min: 0, max: most.marginDb, suffix: " dB" },
} as const satisfies Record<PresenceField, object>;

type Props = {
  /** What counts for fields that are empty. Undefined until it is known. */
  inherited: Record<PresenceField, Inherited> | undefined;
  /** The value, the error and the handler of a field of the form. */
  inputProps: (field: PresenceField) => object;
};

/** How it is decided where tags are. An empty field shows what counts instead. */
export function PresenceFields({ inherited, inputProps }: Props) {
  const { t } = useTranslation();
  const hint = (one: Inherited, unit: string): string =>
    one === undefined ? t("presence.none") : t(`presence.${one.from}`, { value: `${one.value}${unit}` });
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
      {presenceFields.map((field) => (
        <NumberInput
          key={field}
          label={t(`presenceField.${field}`)}
          description={t(`presenceHint.${field}`)}
          placeholder={inherited && hint(inherited[field], inputs[field].suffix)}
          {...inputs[field]}
          {...inputProps(field)}
        />
      ))}
    </SimpleGrid>
  );
}
