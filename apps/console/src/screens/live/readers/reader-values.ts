import type { Schemas } from "../../../api/client.ts";
import { type FilterValues, filtersOf, filterValuesOf } from "../filters/filter-values.ts";
import { newKey, numberOf, type Row, withKeys } from "../form-rows.ts";
import type { Reader } from "./reader-card.tsx";

type Antenna = Reader["antennas"][number];

/** An antenna of a reader in a form. */
type AntennaValues = Row &
  Pick<Antenna, "name" | "zone_id" | "location_id"> & { antenna: number | string; min_rssi: number | string };

/** The form of a reader. The EPCs of its reference tags are one a line. */
export type ReaderValues = Pick<Reader, "name" | "kind" | "zone_id" | "location_id" | "auto_move"> & {
  antennas: AntennaValues[];
  filters: FilterValues[];
  reference_epcs: string;
};

/** A new antenna has the number after the highest one. */
export const emptyAntenna = (others: readonly AntennaValues[]): AntennaValues => ({
  ...{ key: newKey(), name: "", zone_id: null, location_id: null, min_rssi: "" },
  antenna: Math.max(0, ...others.map(({ antenna }) => Number(antenna))) + 1,
});

/** The values that the form shows for a reader, or for a new one. */
export const readerValuesOf = (reader?: Reader): ReaderValues => ({
  name: reader?.name ?? "",
  kind: reader?.kind ?? "fixed_portal",
  zone_id: reader?.zone_id ?? null,
  location_id: reader?.location_id ?? null,
  auto_move: reader?.auto_move ?? false,
  antennas: withKeys(
    (reader?.antennas ?? []).map(({ antenna, name, zone_id, location_id, min_rssi }) => ({
      ...{ antenna, name, zone_id, location_id, min_rssi: min_rssi ?? "" },
    })),
  ),
  filters: filterValuesOf(reader?.filters),
  reference_epcs: (reader?.reference_epcs ?? []).join("\n"),
});

/** The EPCs that a text has, one a line. */
const epcsOf = (text: string): string[] =>
  text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");

/** The reader that a form describes. */
export function readerBodyOf(values: ReaderValues) {
  const { name, kind, zone_id, location_id, auto_move, antennas, filters, reference_epcs } = values;
  return {
    ...{ name: name.trim(), kind, zone_id, location_id, auto_move },
    antennas: antennas.map((one) => ({
      ...{ antenna: Number(one.antenna), name: one.name.trim() },
      ...(one.zone_id !== null && { zone_id: one.zone_id }),
      ...(one.location_id !== null && { location_id: one.location_id }),
      ...(one.min_rssi !== "" && { min_rssi: numberOf(one.min_rssi) }),
    })),
    filters: filtersOf(filters),
    reference_epcs: epcsOf(reference_epcs),
  };
}

const changeable = [
  ...(["name", "zone_id", "location_id", "auto_move"] as const),
  ...(["antennas", "filters", "reference_epcs"] as const),
];

/** The fields of a form that differ from the reader. A list is sent as a whole. */
export function readerChangesOf(values: ReaderValues, reader: Reader): Schemas["PatchReadersByIdRequest"] {
  const [next, before] = [readerBodyOf(values), readerBodyOf(readerValuesOf(reader))];
  const changed = changeable.filter((field) => JSON.stringify(next[field]) !== JSON.stringify(before[field]));
  return Object.fromEntries(changed.map((field) => [field, next[field]]));
}

/** The error of the reference tags, with the EPC that it is about. */
export function referenceError(errors: Readonly<Record<string, unknown>>, text: string): string | undefined {
  if (errors.reference_epcs === undefined) return undefined;
  const found = epcsOf(text).find((_, index) => errors[`reference_epcs.${index}`] !== undefined);
  return `${found === undefined ? "" : `${found}: `}${errors.reference_epcs}`;
}
