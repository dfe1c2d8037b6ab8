import { limits } from "@asset-register/proto/limits";
import { Group, NumberInput } from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";
import { useTranslation } from "react-i18next";
import { RecordSelect } from "../../../parts/record-select.tsx";
import { useProperties } from "../../../parts/records.ts";
import { RowList } from "../row-list.tsx";
import { emptyPair, type SettingsValues } from "./reader-settings-values.ts";

type Props = { form: UseFormReturnType<SettingsValues> };

/** Pairs of properties with a travel time of their own. */
export function TravelPairs({ form }: Props) {
  const { t } = useTranslation();
  const properties = useProperties();
  const { travel } = form.values;
  return (
    <RowList
      legend={t("travel.pairs")}
      hint={t("travel.pairsHint")}
      add={t("travel.add")}
      rows={travel.pairs}
      maxRows={limits.travelPairs}
      nameOf={(_, index) => t("travel.pair", { number: index + 1 })}
      empty={emptyPair}
      onChange={(pairs) => form.setValues({ travel: { ...travel, pairs } })}
    >
      {(index) => {
        const path = `travel.pairs.${index}`;
        return (
          <Group gap="xs" align="flex-start">
            {[0, 1].map((side) => {
              const { error, ...props } = form.getInputProps(`${path}.property_ids.${side}`);
              return (
                <RecordSelect
                  key={side}
                  label={t(side === 0 ? "travel.first" : "travel.second")}
                  flex="1 1 160px"
                  required
                  choices={properties}
                  {...props}
                  error={error ?? form.errors[`${path}.property_ids`]}
                />
              );
            })}
            <NumberInput
              label={t("travel.time")}
              w={120}
              required
              min={0}
              max={limits.travelSeconds}
              allowDecimal={false}
              suffix=" s"
              {...form.getInputProps(`${path}.seconds`)}
            />
          </Group>
        );
      }}
    </RowList>
  );
}
