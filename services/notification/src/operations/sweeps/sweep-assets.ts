import type { Context } from "../../context.ts";
import type { AlertRule } from "../../domain/alert-rules/alert-rule.ts";
import { silenceOf } from "../../domain/alert-rules/condition.ts";
import type { RuleSweep } from "../../store/alert-rules/rule-sweeps.ts";
import type { LastSighting } from "../../store/projections/last-sightings.ts";
import { raiseSilent } from "./raise-silent.ts";
import { sweepPages } from "./sweep-pages.ts";

const PAGE = 1000;

/** Rows that were written so long before the last sweep are read again, since a write may have been under way. */
const OVERLAP_MS = 60_000;

/** Judges a rule not_seen_for: reads what crossed its limit since the last sweep. Yields after each page. */
export async function* sweepAssets(
  context: Context,
  rule: AlertRule,
  signal: AbortSignal,
): AsyncGenerator<void, void> {
  const { stores, now } = context;
  const { workspaceId, id, version } = rule;
  const at = now();
  const limit = new Date(at.getTime() - (silenceOf(rule.condition) ?? 0));
  const last = await stores.ruleSweeps.get(workspaceId, id);
  let sweep: RuleSweep =
    last?.version === version
      ? last
      : { id, workspaceId, version, sweptAt: new Date(0), until: new Date(0), afterId: "" };
  const { sweptAt } = sweep;

  while (!signal.aborted) {
    const page = { after: sweep.until, afterId: sweep.afterId, until: limit, limit: PAGE };
    const rows = await stores.lastSightings.listCrossed(workspaceId, page);
    await judgeRows(context, rule, rows, at);
    const end = rows.at(-1);
    if (end) {
      sweep = { ...sweep, until: end.at, afterId: end.id };
      await stores.ruleSweeps.save(sweep);
    }
    if (rows.length < PAGE) break;
    yield;
  }
  yield* sweepStored(context, rule, { sweptAt, limit, at }, signal);
  yield* sweepCooled(context, rule, { sweptAt, limit, at }, signal);
  if (!signal.aborted) await stores.ruleSweeps.save({ ...sweep, sweptAt: at });
}

type Period = { sweptAt: Date; limit: Date; at: Date };

/** Sightings that came late are about a time that was swept before. */
async function* sweepStored(
  context: Context,
  rule: AlertRule,
  { sweptAt, limit, at }: Period,
  signal: AbortSignal,
): AsyncGenerator<void, void> {
  if (sweptAt.getTime() === 0) return;
  const storedAfter = new Date(sweptAt.getTime() - OVERLAP_MS);
  const { lastSightings } = context.stores;
  yield* sweepPages(
    (page) => lastSightings.listStored(rule.workspaceId, { ...page, storedAfter, until: limit }),
    (rows) => judgeRows(context, rule, rows, at),
    signal,
  );
}

/** Assets that crossed the limit during a cooldown are raised when it is over. */
async function* sweepCooled(
  context: Context,
  rule: AlertRule,
  { sweptAt, limit, at }: Period,
  signal: AbortSignal,
): AsyncGenerator<void, void> {
  const { stores } = context;
  const before = (time: Date): Date => new Date(time.getTime() - rule.cooldownSeconds * 1000);
  const period = { after: before(sweptAt), until: before(at) };
  yield* sweepPages(
    (page) => stores.alerts.listResolved(rule.workspaceId, rule.id, { ...page, ...period }),
    async (alerts) => {
      const subjects = alerts.map(({ subject }) => subject);
      const rows = await stores.lastSightings.getMany(rule.workspaceId, subjects);
      const crossed = [...rows.values()].filter((row) => row.at <= limit);
      await judgeRows(context, rule, crossed, at);
    },
    signal,
  );
}

async function judgeRows(
  context: Context,
  rule: AlertRule,
  rows: readonly LastSighting[],
  at: Date,
): Promise<void> {
  const { workspaceId } = rule;
  const inScope = await rowsInScope(context, rule, rows);
  const byId = new Map(inScope.map((row) => [row.id, row]));
  const silent = inScope.map(({ id: assetId, zoneId, readerId, order, at: since }) => ({
    observation: { assetId, zoneId, readerId, order, at, receivedAt: at },
    since,
  }));
  await raiseSilent(context, rule, silent, (subjects, session) => {
    const held = [...subjects].flatMap((subject) => byId.get(subject) ?? []);
    return context.stores.lastSightings.hold(workspaceId, held, session);
  });
}

/** The zone is that of the newest sighting. Assets that are deleted or disposed of are in no scope. */
async function rowsInScope(
  { stores, clients }: Context,
  { workspaceId, scopeType, scopeId }: AlertRule,
  rows: readonly LastSighting[],
): Promise<LastSighting[]> {
  const some = rows.filter(
    ({ id, zoneId }) =>
      (scopeType !== "asset" || id === scopeId) && (scopeType !== "zone" || zoneId === scopeId),
  );
  const ids = some.map(({ id }) => id);
  const assets = await stores.assets.getMany(workspaceId, ids);
  const unknown = ids.filter((id) => !assets.has(id));
  const asked = unknown.length > 0 ? await clients.getAssets(workspaceId, unknown) : undefined;
  return some.filter(({ id }) => {
    const asset = assets.get(id) ?? asked?.get(id);
    if (!asset || asset.gone) return false;
    if (scopeType === "location") return asset.locationId === scopeId;
    return scopeType !== "category" || asset.categoryId === scopeId;
  });
}
