import { readerDefaults } from "@asset-register/proto/limits";
import type { Schemas } from "../../../api/client.ts";
import { type FilterValues, filtersOf, filterValuesOf } from "../filters/filter-values.ts";
import { newKey, numberOf, type Row, withKeys } from "../form-rows.ts";
import { type PresenceValues, presenceOf, presenceValuesOf } from "../presence/presence-values.ts";

export type ReaderSettings = Schemas["ReaderSettings"];

/** How soon the same EPC may be read at the other property. */
type Pair = Row & { property_ids: (string | null)[]; seconds: number | string };

/** The form of the settings, with the paths of the request. An empty number has its default. */
export type SettingsValues = {
  presence: PresenceValues;
  filters: FilterValues[];
  unknown_per_hour: number | string;
  travel: { default_seconds: number | string; pairs: Pair[] };
};

export const emptyPair = (): Pair => ({ key: newKey(), property_ids: [null, null], seconds: "" });

const unless = (standard: number, value: number): number | string => (value === standard ? "" : value);

export const settingsValuesOf = ({
  presence,
  filters,
  unknown_per_hour,
  travel,
}: ReaderSettings): SettingsValues => ({
  presence: presenceValuesOf(presence),
  filters: filterValuesOf(filters),
  unknown_per_hour: unless(readerDefaults.unknownPerHour, unknown_per_hour),
  travel: {
    default_seconds: unless(readerDefaults.travelSeconds, travel.default_seconds),
    pairs: withKeys(travel.pairs),
  },
});

/** The request that replaces the settings. */
export const settingsBodyOf = ({ presence, filters, unknown_per_hour, travel }: SettingsValues) => ({
  presence: presenceOf(presence),
  filters: filtersOf(filters),
  unknown_per_hour: numberOf(unknown_per_hour) ?? readerDefaults.unknownPerHour,
  travel: {
    default_seconds: numberOf(travel.default_seconds) ?? readerDefaults.travelSeconds,
    pairs: travel.pairs.map(({ property_ids, seconds }) => ({
      property_ids: property_ids.map((id) => id ?? ""),
      seconds: Number(seconds),
    })),
  },
});
