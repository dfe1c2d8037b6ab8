import type { Schemas } from "../../../api/client.ts";
import {
  type PresenceValues,
  presenceChangesOf,
  presenceOf,
  presenceValuesOf,
} from "../presence/presence-values.ts";

export type Zone = Schemas["Zone"];

/** The form of a zone. */
export type ZoneValues = Pick<Zone, "name" | "location_ids" | "reader_ids"> & { presence: PresenceValues };

/** The values that the form shows for a zone, or for a new one. */
export const zoneValuesOf = (zone?: Zone): ZoneValues => ({
  name: zone?.name ?? "",
  location_ids: zone?.location_ids ?? [],
  reader_ids: zone?.reader_ids ?? [],
  presence: presenceValuesOf(zone?.presence),
});

/** The zone that a form describes. */
export const zoneBodyOf = ({ name, presence, ...values }: ZoneValues) => ({
  ...{ ...values, name: name.trim(), presence: presenceOf(presence) },
});

/** The fields of a form that differ from the zone. */
export function zoneChangesOf(values: ZoneValues, zone: Zone): Schemas["PatchZonesByIdRequest"] {
  const { location_ids, reader_ids } = values;
  const name = values.name.trim();
  const presence = presenceChangesOf(values.presence, zone.presence);
  return {
    ...(name !== zone.name && { name }),
    ...(differs(location_ids, zone.location_ids) && { location_ids }),
    ...(differs(reader_ids, zone.reader_ids) && { reader_ids }),
    ...(Object.keys(presence).length > 0 && { presence }),
  };
}

const differs = (a: readonly string[], b: readonly string[]): boolean =>
  a.toSorted().join() !== b.toSorted().join();
