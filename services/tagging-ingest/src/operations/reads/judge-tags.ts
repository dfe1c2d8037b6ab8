import type { Context } from "../../context.ts";
import { OTHERS_MS, type Place } from "../../domain/presence/place.ts";
import { leaveAfterOf } from "../../domain/presence/presence-settings.ts";
import { judgeSilence, type Verdict } from "../../domain/presence/silence.ts";
import type { Reader } from "../../domain/readers/reader.ts";
import type { Zone } from "../../domain/zones/zone.ts";
import type { SilentTag } from "../../store/presence/presences.ts";

export type Judged = { tag: SilentTag; verdict: Verdict };

/** Judges which silent tags left, by the readers that could have read them. A few queries for each workspace. */
export async function judgeTags(
  { stores }: Context,
  found: readonly SilentTag[],
  horizon: number,
): Promise<Judged[]> {
  const judged: Judged[] = [];
  for (const [workspaceId, own] of Map.groupBy(found, (tag) => tag.workspaceId)) {
    const places = own.flatMap(({ state }) => state.place ?? []);
    const judges = await stores.readers.getMany(workspaceId, [...new Set(places.flatMap(judgeIds))]);
    const orphaned = places.filter((place) => judgesOf(place, judges).every(isRevoked));
    const others = await othersIn(stores, workspaceId, orphaned);
    for (const tag of own) {
      const { place, suspended } = tag.state;
      // A place that a handheld reported ends by time alone.
      const verdict: Verdict =
        place?.fixed === false
          ? { kind: "leaves" }
          : judgeSilence(
              {
                dueAt: suspended?.since ?? tag.at.getTime(),
                judges: place === undefined ? [] : judgesOf(place, judges),
                others: others.get(place?.zoneId ?? "") ?? [],
                listenMs: leaveAfterOf(place ?? {}),
              },
              horizon,
            );
      judged.push({ tag, verdict });
    }
  }
  return judged;
}

const judgeIds = ({ readerId, others }: Place): string[] => [readerId, ...others.map((one) => one.readerId)];

const isRevoked = ({ status }: Reader): boolean => status === "revoked";

/** The reader that read the tag last, and others that are in the zone and read it in the 10 minutes before. */
function judgesOf(place: Place, readers: ReadonlyMap<string, Reader>): Reader[] {
  const others = place.others.filter(({ lastAt }) => place.lastAt - lastAt <= OTHERS_MS);
  const last = readers.get(place.readerId);
  const inZone = others.flatMap(({ readerId }) => readers.get(readerId) ?? []);
  return [...(last ? [last] : []), ...inZone.filter((reader) => isIn(reader, place.zoneId))];
}

/** Whether a reader, or one of its antennas, is in a zone, or in none. */
const isIn = ({ zoneId, antennas = [] }: Reader, zone: string | undefined): boolean =>
  zoneId === zone || antennas.some((point) => point.zoneId === zone);

/** The portals of the zones of some places. */
async function othersIn(
  { readers, zones }: Context["stores"],
  workspaceId: string,
  places: readonly Place[],
): Promise<Map<string, Reader[]>> {
  const zoneIds = [...new Set(places.flatMap(({ zoneId }) => zoneId ?? []))];
  if (zoneIds.length === 0) return new Map();
  const found = await zones.getMany(workspaceId, zoneIds);
  const members = await readers.getMany(workspaceId, [...new Set([...found.values()].flatMap(membersOf))]);
  const portalsOf = (zone: Zone): Reader[] =>
    membersOf(zone).flatMap((id) => {
      const reader = members.get(id);
      return reader?.kind === "fixed_portal" ? [reader] : [];
    });
  return new Map([...found].map(([id, zone]) => [id, portalsOf(zone)]));
}

/** The readers of a zone, and those that have an antenna in it. */
const membersOf = ({ readerIds, readPoints = [] }: Zone): string[] => [
  ...new Set([...readerIds, ...readPoints.map(({ readerId }) => readerId)]),
];
