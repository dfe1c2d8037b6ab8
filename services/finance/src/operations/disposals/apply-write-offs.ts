import type { Context } from "../../context.ts";
import { takesWriteOff, type WriteOff } from "../../domain/disposals/write-off.ts";
import { figuresOf } from "../../domain/profiles/plan-sync.ts";
import { publishStates } from "../ledger/publish-states.ts";
import { readKnownAssets, readSetting } from "../profiles/read-known-assets.ts";

/** Marks assets as written off. A repeat, also after the mark was cleared, has no effect. */
export async function applyWriteOffs(
  context: Context,
  writeOffs: readonly WriteOff[],
  signal: AbortSignal,
): Promise<void> {
  for (const [workspaceId, own] of Map.groupBy(writeOffs, (one) => one.workspaceId)) {
    const ids = own.map(({ assetId }) => assetId);
    await projectUnknown(context, workspaceId, ids, signal);
    for (const writeOff of own) {
      signal.throwIfAborted();
      await apply(context, writeOff);
    }
  }
}

async function apply(context: Context, { workspaceId, assetId, assetRev }: WriteOff): Promise<void> {
  const { mongo, stores } = context;
  const { at, workspace } = await readSetting(context, workspaceId);
  await mongo.transaction({}, async (session) => {
    await stores.assets.touchMany(workspaceId, [assetId], session);
    const [known] = await readKnownAssets(context, workspaceId, [assetId], session);
    if (known === undefined || !takesWriteOff(known, assetRev)) return;
    const { asset, profiles, state } = known;
    const { nbv, accumulated } =
      profiles.book === undefined ? { nbv: asset.cost ?? 0, accumulated: 0 } : figuresOf(profiles.book);
    const set = { ...(state ?? { nbv, accumulated }), writeOff: { assetRev } };
    const { currency } = workspace;
    const published = { workspaceId, currency, change: "writeOffChanged" as const, at };
    await publishStates(context, session, [{ assetId, set }], published);
  });
}

/** The events of the assets may be late. Register no longer has an asset that is unknown there too. */
async function projectUnknown(
  { stores, clients }: Context,
  workspaceId: string,
  ids: readonly string[],
  signal: AbortSignal,
): Promise<void> {
  const known = await stores.assets.getMany(workspaceId, ids);
  const unknown = ids.filter((id) => !known.has(id));
  if (unknown.length === 0) return;
  await stores.assets.projectAnswer(workspaceId, await clients.findAssets(workspaceId, unknown, signal));
}
