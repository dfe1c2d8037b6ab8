import { afterCommit, type ClientSession } from "@asset-register/mongo";
import { batches, newId } from "@asset-register/runtime";
import type { Context } from "../../context.ts";
import { isEmptyPlan, planSync, type SyncPlan } from "../../domain/profiles/plan-sync.ts";
import type { Book } from "../../domain/profiles/profile.ts";
import { countValues, type OpenMonths } from "../ledger/count-values.ts";
import { publishStates } from "../ledger/publish-states.ts";
import { touchLiveRun } from "../runs/touch-live-run.ts";
import {
  type KnownBooks,
  openMonthsOf,
  readKnownAssets,
  readSetting,
  type Setting,
} from "./read-known-assets.ts";

/** Assets of one transaction. */
const TOGETHER = 100;

/**
 * Updates profiles and pending disposals to match the assets, and ends the profiles of deleted ones. It compares what is
 * stored, so repeats and any order of events have the same effect. Returns the assets whose values make no valid profile.
 *
 * @throws AppError UNAVAILABLE before the first event of the workspace has arrived
 */
export async function syncAssets(
  context: Context,
  workspaceId: string,
  ids: readonly string[],
): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const setting = await readSetting(context, workspaceId);
  const open = await openMonthsOf(context, workspaceId);
  const plans = plansOf(await readKnownAssets(context, workspaceId, ids), setting, open);
  const work = plans.filter(({ plan }) => !isEmptyPlan(plan)).map(({ known }) => known.asset.id);
  for (const chunk of batches(work, TOGETHER)) {
    await context.mongo.transaction({}, (session) => syncChunk(context, setting, chunk, session));
  }
  return new Set(plans.filter(({ plan }) => plan.invalid).map(({ known }) => known.asset.id));
}

async function syncChunk(
  context: Context,
  setting: Setting,
  ids: readonly string[],
  session: ClientSession,
): Promise<void> {
  const { stores } = context;
  const { workspace, at } = setting;
  const { id: workspaceId, currency } = workspace;
  await stores.assets.touchMany(workspaceId, ids, session);
  const known = await readKnownAssets(context, workspaceId, ids, session);
  const open = await openMonthsOf(context, workspaceId, session);
  const plans = plansOf(known, setting, open);
  const profiles = plans.flatMap(({ known: { disposals }, plan }) =>
    plan.profiles.map((change) => ({
      ...change,
      isAccounted: disposals.some(({ book, status }) => book === change.after.book && status === "accounted"),
    })),
  );
  const made = profiles.flatMap(({ before, after }) => (before === undefined ? [after] : []));
  await stores.profiles.insertMany(workspaceId, made, session);
  const changed = profiles.flatMap(({ before, after }) => (before === undefined ? [] : [{ before, after }]));
  await stores.profiles.saveMany(workspaceId, changed, session);
  await countValues(context, session, profiles, open);
  const disposals = plans.flatMap(({ plan }) => plan.disposals);
  await stores.disposals.insertMany(workspaceId, disposals, session);
  if (disposals.length > 0) afterCommit(session, context.accounting.wake);
  for (const book of ["book", "tax"] as const) {
    const touched = plans.flatMap((one) => touchedIn(one, book));
    if (touched.length > 0) await touchLiveRun(context, session, workspaceId, book, touched);
  }
  const published = plans.flatMap(({ known, plan }) =>
    plan.state === undefined ? [] : [{ ...plan.state, assetId: known.asset.id }],
  );
  for (const [change, updates] of Map.groupBy(published, (one) => one.change)) {
    await publishStates(context, session, updates, { workspaceId, currency, change, at });
  }
}

type Planned = { known: KnownBooks; plan: SyncPlan };

function plansOf(known: readonly KnownBooks[], setting: Setting, open: OpenMonths): Planned[] {
  const { workspace, at, month } = setting;
  const { id: workspaceId, fiscalYearStart } = workspace;
  return known.map((one) => ({
    known: one,
    plan: planSync(one, { workspaceId, fiscalYearStart, at, month, openFrom: open.book, newId }),
  }));
}

const touchedIn = ({ known, plan }: Planned, book: Book) =>
  plan.touched
    .filter((one) => one.book === book)
    .map(({ effectiveOn, ofLines }) => ({ assetId: known.asset.id, effectiveOn, ofLines }));
