import type { FieldViolation } from "@asset-register/runtime";
import { pointKey, type ZoneReadPoint } from "../zones/zone.ts";
import type { Reader, ReadPoint } from "./reader.ts";

/** The antennas that are named twice, by their paths in HTTP. */
export function antennaViolations(antennas: readonly ReadPoint[] = []): FieldViolation[] {
  return antennas.flatMap(({ antenna }, at) => {
    const isFirst = antennas.findIndex((other) => other.antenna === antenna) === at;
    return isFirst ? [] : [{ field: `antennas.${at}.antenna`, message: "must name each antenna once" }];
  });
}

/** The antennas of a reader that are in a zone, as the zone has them. */
export function pointsIn(
  { id, antennas = [] }: Pick<Reader, "id" | "antennas">,
  zoneId: string,
): ZoneReadPoint[] {
  return antennas.flatMap((point) =>
    point.zoneId === zoneId ? [{ readerId: id, antenna: point.antenna }] : [],
  );
}

/** The antennas of a reader when a zone has these read points: others leave the zone. */
export function antennasWith(
  { id, antennas = [] }: Pick<Reader, "id" | "antennas">,
  zoneId: string,
  points: readonly ZoneReadPoint[],
): ReadPoint[] {
  const own = new Set(points.flatMap(({ readerId, antenna }) => (readerId === id ? [antenna] : [])));
  return antennas.map((point) => {
    if (own.has(point.antenna)) return { ...point, zoneId };
    return point.zoneId === zoneId ? { ...point, zoneId: undefined } : point;
  });
}

/** The read points of a zone when a reader has other antennas. Those of other readers stay. */
export function readPointsWith(
  { id, readPoints = [] }: { id: string; readPoints?: ZoneReadPoint[] | undefined },
  reader: Pick<Reader, "id" | "antennas">,
): ZoneReadPoint[] {
  return [...readPoints.filter(({ readerId }) => readerId !== reader.id), ...pointsIn(reader, id)];
}

export function hasSamePoints(
  one: readonly ZoneReadPoint[] = [],
  other: readonly ZoneReadPoint[] = [],
): boolean {
  const keys = new Set(one.map(pointKey));
  return one.length === other.length && other.every((point) => keys.has(pointKey(point)));
}
