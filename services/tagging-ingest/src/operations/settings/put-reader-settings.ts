import type { Call } from "@asset-register/rpc";
import { changesBetween, invalid, requireRev, unknownReferences } from "@asset-register/runtime";
import type { Context } from "../../context.ts";
import {
  auditedSettings,
  type ReaderSettings,
  type ReaderSettingsFields,
  readerSettingsViolations,
} from "../../domain/readers/reader-settings.ts";
import { auditEntry } from "../../published.ts";

export type PutReaderSettings = ReaderSettingsFields & { ifRevIn: readonly number[] };

/** Replaces the settings of the workspace. They count from the next read of a tag on. */
export async function putReaderSettings(
  context: Context,
  { ifRevIn, ...fields }: PutReaderSettings,
  call: Call,
): Promise<ReaderSettings> {
  const { mongo, stores, outbox } = context;
  const { workspaceId } = call;
  const violations = readerSettingsViolations(fields);
  if (violations.length > 0) throw invalid(violations);
  await requireProperties(context, fields, call);
  const at = context.now();
  return mongo.transaction(call, async (session) => {
    const before = await stores.readerSettings.get(workspaceId, session);
    requireRev(before.rev, ifRevIn);
    const changes = changesBetween(auditedSettings(before), auditedSettings(fields));
    if (changes.length === 0) return before;
    const settings = { ...fields, id: workspaceId, workspaceId, rev: before.rev + 1, updatedAt: at };
    await stores.readerSettings.save(settings, before, session);
    await outbox.add(session, auditEntry(call, at, "reader_settings.updated", workspaceId, changes));
    return settings;
  });
}

/** @throws AppError NOT_FOUND that names each place of a property that does not exist */
async function requireProperties(
  { clients }: Context,
  { travel }: ReaderSettingsFields,
  call: Call,
): Promise<void> {
  const ids = new Set(travel.pairs.flatMap(({ propertyIds }) => propertyIds));
  const existing = await clients.existingProperties([...ids], call);
  const missing = travel.pairs.flatMap(({ propertyIds }, pair) =>
    propertyIds.flatMap((id, at) => (existing.has(id) ? [] : `travel.pairs.${pair}.property_ids.${at}`)),
  );
  if (missing.length > 0) throw unknownReferences(missing);
}
