import type { GroupLag } from "@asset-register/events";
import { topics } from "@asset-register/proto/topics";
import { batches } from "@asset-register/runtime";
import type { Context } from "../../context.ts";
import { MINUTE_MS } from "../../domain/readers/activity-range.ts";
import {
  type Baseline,
  expectedReads,
  type HourOfWeek,
  hasBaseline,
  hourOfWeekIn,
} from "../../domain/readers/baseline.ts";
import {
  countedIn,
  healthAfter,
  type JudgedHealth,
  judgedMinutes,
  type ObservedReader,
  reasonsOf,
  rivalsAmong,
} from "../../domain/readers/judged-health.ts";
import { zoneIdsOf } from "../../domain/readers/reader.ts";
import { readerLiveness } from "../../published.ts";
import type { JudgedReader } from "../../store/readers/judged-readers.ts";

/** When the worker is further behind, reads of reference tags may wait in the topic: then they say nothing. */
const BEHIND_MS = 60_000;
/** Readers in one transaction. It conflicts with the flush of their counters, so it is short. */
const SAVED_TOGETHER = 100;

/** Judges the health of all readers that were heard or counted in the last 15 minutes. Saves and publishes what changed. */
export async function judgeReaders(
  context: Context,
  lag: Pick<GroupLag, "isBehind">,
  signal: AbortSignal,
): Promise<void> {
  const { stores, logger } = context;
  const workspaces = await stores.judgedReaders.listWorkspaces();
  const isBehind = workspaces.length > 0 && (await lag.isBehind([topics.readerEvent], BEHIND_MS));
  for (const workspaceId of workspaces) {
    if (signal.aborted) return;
    try {
      await judgeWorkspace(context, workspaceId, { referencesCount: !isBehind });
    } catch (error) {
      logger.warn(
        { err: error, workspaceId },
        "the health of readers was not judged; the next sweep retries",
      );
    }
  }
}

type Judging = { now: Date; hourOfWeek: HourOfWeek; referencesCount: boolean };

async function judgeWorkspace(
  context: Context,
  workspaceId: string,
  { referencesCount }: Pick<Judging, "referencesCount">,
): Promise<void> {
  const { stores, now: clock } = context;
  const workspace = await stores.workspaces.get(workspaceId);
  if (workspace?.active === false) return;
  const now = clock();
  const readers = await stores.judgedReaders.list(workspaceId);
  const portals = readers.filter((reader) => reader.kind === "fixed_portal" && hasBaseline(reader, now));
  const baselines = await stores.readerBaselines.getMany(
    workspaceId,
    portals.map(({ _id }) => _id),
  );
  const hourOfWeek = hourOfWeekIn(workspace?.timeZone || "UTC");
  const locationIds = portals.flatMap(({ locationId }) => locationId ?? []);
  const properties = await context.properties.ofLocations(workspaceId, new Set(locationIds));
  const observed = observeAll(readers, { baselines, properties }, { now, hourOfWeek, referencesCount });
  const changed = observed.flatMap(({ reader, facts }): [string, JudgedHealth][] => {
    if (!wasActive(reader, facts, now)) return [];
    const health = healthAfter(reader.health, reasonsOf(facts), now);
    return health === reader.health ? [] : [[reader._id, health]];
  });
  for (const some of batches(changed, SAVED_TOGETHER)) await save(context, workspaceId, new Map(some));
}

async function save(
  { mongo, stores, outbox }: Context,
  workspaceId: string,
  judged: ReadonlyMap<string, JudgedHealth>,
): Promise<void> {
  await mongo.transaction({}, async (session) => {
    const liveness = await stores.judgedReaders.save(workspaceId, judged, session);
    await outbox.add(session, ...liveness.map(readerLiveness));
  });
}

type Known = {
  /** By reader. */
  baselines: ReadonlyMap<string, Baseline>;
  /** By location. */
  properties: ReadonlyMap<string, string>;
};

function observeAll(
  readers: readonly JudgedReader[],
  { baselines, properties }: Known,
  judging: Judging,
): { reader: JudgedReader; facts: ObservedReader }[] {
  const { from, to } = judgedMinutes(judging.now);
  const time = { from: from * MINUTE_MS, to: to * MINUTE_MS };
  const counted = readers.map((reader) => {
    const baseline = baselines.get(reader._id);
    const counts = countedIn(Object.values(reader.minutes ?? {}), { from, to });
    const portal = baseline && {
      zoneIds: zoneIdsOf(reader),
      propertyId: properties.get(reader.locationId ?? ""),
      reads: counts.reads,
      expected: expectedReads(baseline, time, judging.hourOfWeek),
    };
    return { reader, counts, portal };
  });
  const rivalsOf = rivalsAmong(counted.flatMap(({ portal }) => portal ?? []));
  return counted.map(({ reader, counts, portal }) => ({
    reader,
    facts: {
      ...{ ...counts, clockSkewMs: reader.clockSkewMs, referenceReads: referenceReadsOf(reader, judging) },
      ...(portal && { expected: portal.expected, rivals: rivalsOf(portal) }),
    },
  }));
}

/** The reads of its reference tags, also in the present minute. Absent while they could not be read for so long. */
function referenceReadsOf(
  { referenceEpcs = [], referencesSince, readCounts }: JudgedReader,
  { now, referencesCount }: Judging,
): number | undefined {
  const { from } = judgedMinutes(now);
  if (!referencesCount || referenceEpcs.length === 0) return undefined;
  if ((referencesSince?.getTime() ?? 0) > from * MINUTE_MS) return undefined;
  const minutes = Object.values(readCounts ?? {}).filter(({ minute }) => minute >= from);
  return minutes.reduce((sum, { reference = 0 }) => sum + reference, 0);
}

/** Whether a reader did anything that can be judged. A wrong signature does not show that it is alive. */
function wasActive(
  { lastSeenAt }: JudgedReader,
  { reads, rejected, wrongSignatures }: ObservedReader,
  now: Date,
) {
  const from = judgedMinutes(now).from * MINUTE_MS;
  return (lastSeenAt?.getTime() ?? 0) >= from || reads + rejected + wrongSignatures > 0;
}
