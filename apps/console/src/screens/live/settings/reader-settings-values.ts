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

export const DEFAULT_UNKNOWN_PER_HOUR = 1_000;
export const DEFAULT_TRAVEL_SECONDS = 300;

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
  unknown_per_hour: unless(DEFAULT_UNKNOWN_PER_HOUR, unknown_per_hour),
  travel: {
    default_seconds: unless(DEFAULT_TRAVEL_SECONDS, travel.default_seconds),
    pairs: withKeys(travel.pairs),
  },
});

/** The request that replaces the settings. */
export const settingsBodyOf = ({ presence, filters, unknown_per_hour, travel }: SettingsValues) => ({
  presence: presenceOf(presence),
  filters: filtersOf(filters),
  unknown_per_hour: numberOf(unknown_per_hour) ?? DEFAULT_UNKNOWN_PER_HOUR,
  travel: {
    default_seconds: numberOf(travel.default_seconds) ?? DEFAULT_TRAVEL_SECONDS,
    pairs: travel.pairs.map(({ property_ids, seconds }) => ({
      property_ids: property_ids.map((id) => id ?? ""),
      seconds: Number(seconds),
    })),
  },
});
