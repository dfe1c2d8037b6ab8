import type { ClientSession } from "@asset-register/mongo";
import type { Call } from "@asset-register/rpc";
import { AppError, invalid, newId, requireFound } from "@asset-register/runtime";
import { requireWorkspace } from "@asset-register/service";
import type { Context } from "../../context.ts";
import { assertTakesWork } from "../../domain/assets/asset.ts";
import type { MeterReading } from "../../domain/meters/meter-reading.ts";
import { computed } from "../../domain/schedules/due-row.ts";
import { dropAt, fitsBetween } from "../../domain/schedules/meter.ts";
import { findAsset } from "../assets/find-asset.ts";

export type NewMeterReading = {
  assetId: string;
  value: number;
  unit?: string | undefined;
  readAt?: Date | undefined;
  reset: boolean;
};

/** Clocks of callers may be ahead. A reading from ahead is stored as now, so that a completion at this moment counts it. */
const AHEAD_MS = 300_000;

/**
 * Adds a reading, and recomputes what is due by the meter.
 *
 * @throws AppError METER_DECREASES, ASSET_DISPOSED, VALIDATION_FAILED on read_at and unit
 */
export async function createMeterReading(
  context: Context,
  input: NewMeterReading,
  call: Call,
): Promise<MeterReading> {
  const { mongo, stores, now } = context;
  const { workspaceId, actor } = call;
  const { assetId, value, reset } = input;
  const { timeZone } = await requireWorkspace(context, workspaceId);
  assertTakesWork(requireFound(await findAsset(context, assetId, call), "asset"));
  return mongo.transaction(call, async (session) => {
    // Readings of one asset are added one after the other, so that each is compared with its neighbours.
    const { asset } = await stores.assets.touch(workspaceId, assetId, session);
    assertTakesWork(requireFound(asset, "asset"));
    const at = now();
    const given = input.readAt ?? at;
    if (given.getTime() > at.getTime() + AHEAD_MS) {
      throw invalid([{ field: "read_at", message: "must not be more than 5 minutes in the future" }]);
    }
    const readAt = new Date(Math.min(given.getTime(), at.getTime()));
    const before = await stores.meterReadings.lastUntil(workspaceId, assetId, readAt, session);
    const after = await stores.meterReadings.firstAfter(workspaceId, assetId, readAt, session);
    const unit = unitOf(input, before, after);
    if (!fitsBetween(value, reset ? undefined : before, after)) throw meterDecreases();
    const reading: MeterReading = {
      ...{ id: newId("mrd"), workspaceId, assetId, value, unit, readAt, reset },
      ...{ dropped: reset ? dropAt(value, before) : undefined, createdAt: at, createdBy: actor },
    };
    await stores.meterReadings.insert(workspaceId, reading, session);
    if (after?.dropped !== undefined) {
      const dropped = dropAt(after.value, reading);
      await stores.meterReadings.setDropped(workspaceId, after.id, dropped, session);
    }
    await recomputeMeter(context, { workspaceId, assetId, timeZone }, session);
    return reading;
  });
}

/**
 * The unit of a reading: that of its neighbours in the same count by default. A reset may begin with another one.
 *
 * @throws AppError VALIDATION_FAILED on unit
 */
function unitOf(
  { unit, reset }: NewMeterReading,
  before: MeterReading | undefined,
  after: MeterReading | undefined,
): string | undefined {
  const next = after?.reset ? undefined : after;
  const same = [reset ? undefined : before?.unit, next?.unit].find((known) => known !== undefined);
  if (unit !== undefined && same !== undefined && unit !== same) {
    throw invalid([{ field: "unit", message: `must be ${same}, unless the reading is a reset` }]);
  }
  return unit ?? same ?? before?.unit;
}

async function recomputeMeter(
  { stores }: Context,
  { workspaceId, assetId, timeZone }: { workspaceId: string; assetId: string; timeZone: string },
  session: ClientSession,
): Promise<void> {
  const rows = (await stores.dueRows.ofAssets(workspaceId, [assetId], session)).filter((row) => row.metered);
  if (rows.length === 0) return;
  const ids = rows.map(({ pmScheduleId }) => pmScheduleId);
  const schedules = await stores.pmSchedules.getMany(workspaceId, ids, session);
  const points = await stores.meterReadings.pointsOf(workspaceId, [assetId], session);
  const after = rows.flatMap((row) => {
    const schedule = schedules.get(row.pmScheduleId);
    return schedule ? [computed(row, { schedule, readings: points.get(assetId) ?? [], timeZone })] : [];
  });
  await stores.dueRows.saveMany(workspaceId, after, session);
}

function meterDecreases(): AppError {
  const message =
    "The value must be between those of the readings before and after it, unless it is a reset.";
  return new AppError({
    ...{ kind: "invalid", code: "METER_DECREASES", message },
    violations: [{ field: "value", message }],
  });
}
