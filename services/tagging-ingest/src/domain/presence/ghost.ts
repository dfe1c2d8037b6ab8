import type { Reading } from "../ingest/reading.ts";
import type { Presence } from "./presence.ts";
import { secondOf } from "./seconds.ts";

/**
 * The second of all reads of a tag, while they are in one second and fainter than `belowDbm`: then the tag may be a ghost,
 * an EPC that a reader got wrong. `presence` is that before the read. Without `belowDbm` the tag is known, so it is none.
 */
export function ghostAfter(
  { appliedAt, ghostSecond }: Presence,
  { at, rssi }: Reading,
  belowDbm: number | undefined,
): number | undefined {
  if (belowDbm === undefined || rssi === undefined || rssi >= belowDbm) return undefined;
  const second = secondOf(at);
  const isFirst = appliedAt === 0;
  return isFirst || ghostSecond === second ? second : undefined;
}
