import { limits } from "@asset-register/proto/limits";
import { Group, NumberInput, TextInput } from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";
import { useTranslation } from "react-i18next";
import { PlaceSelect, RecordSelect } from "../../../parts/record-select.tsx";
import type { Choice } from "../../../parts/records.ts";
import { RowList } from "../row-list.tsx";
import { emptyAntenna, type ReaderValues } from "./reader-values.ts";

type Props = { form: UseFormReturnType<ReaderValues>; zones: Choice[] };

/** The antennas of a reader that have a place of their own. */
export function AntennaFields({ form, zones }: Props) {
  const { t } = useTranslation();
  const { antennas } = form.values;
  return (
    <RowList
      legend={t("antennas.title")}
      hint={t("antennas.hint")}
      add={t("antennas.add")}
      rows={antennas}
      maxRows={limits.antennas}
      nameOf={({ antenna }) => t("reads.antenna", { antenna })}
      empty={() => emptyAntenna(antennas)}
      onChange={(next) => form.setValues({ antennas: next })}
    >
      {(index) => (
        <>
          <Group gap="xs" align="flex-start">
            <NumberInput
              label={t("antennas.number")}
              w={90}
              required
              min={0}
              max={limits.antenna}
              allowDecimal={false}
              {...form.getInputProps(`antennas.${index}.antenna`)}
            />
            <TextInput
              label={t("readers.name")}
              flex="1 1 120px"
              required
              maxLength={limits.name}
              {...form.getInputProps(`antennas.${index}.name`)}
            />
            <NumberInput
              label={t("antennas.minRssi")}
              w={130}
              placeholder={t("antennas.anySignal")}
              min={limits.rssiLeast}
              max={limits.rssi}
              suffix=" dBm"
              {...form.getInputProps(`antennas.${index}.min_rssi`)}
            />
          </Group>
          <Group gap="xs" align="flex-start">
            <RecordSelect
              label={t("readers.zone")}
              placeholder={t("antennas.noZone")}
              flex="1 1 160px"
              choices={zones}
              {...form.getInputProps(`antennas.${index}.zone_id`)}
            />
            <PlaceSelect
              label={t("readers.location")}
              placeholder={t("antennas.readerPlace")}
              flex="1 1 160px"
              {...form.getInputProps(`antennas.${index}.location_id`)}
            />
          </Group>
        </>
      )}
    </RowList>
  );
}
