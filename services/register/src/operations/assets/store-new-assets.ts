import type { ClientSession } from "@asset-register/mongo";
import type { Context } from "../../context.ts";
import type { Asset } from "../../domain/assets/asset.ts";
import type { Status } from "../../domain/assets/status.ts";
import { assetCreated } from "../../published.ts";
import { type CustomFieldRules, storeCustomFields } from "../custom-fields/custom-field-rules.ts";
import { type Cause, historyEntry } from "./save-asset-change.ts";

/** A valid asset, and what causes it. */
export type NewAsset = { asset: Asset; cause: Cause; traceparent?: string | undefined };

/** Stores valid assets in the caller's transaction, each with its history, its unique values and its event. */
export async function storeNewAssets(
  context: Context,
  workspaceId: string,
  created: readonly NewAsset[],
  { status, rules }: { status: Status; rules: CustomFieldRules },
  session: ClientSession,
): Promise<void> {
  if (created.length === 0) return;
  const { stores, outbox } = context;
  const assets = created.map(({ asset }) => asset);
  const writes = assets.map(({ id, customFields }) => ({
    assetId: id,
    before: undefined,
    after: customFields,
  }));
  await storeCustomFields(context, workspaceId, rules, writes, session);
  const entries = created.map(({ asset, cause }) =>
    historyEntry(cause, asset, { at: asset.createdAt, action: "created", changes: [] }),
  );
  await stores.history.append(workspaceId, entries, session);
  const events = created.map(({ asset, traceparent }) => ({
    ...assetCreated(asset, status),
    traceparent,
  }));
  await outbox.add(session, ...events);
  // Last: it raises a count that other creations raise too, and whoever comes second begins its transaction again.
  await stores.assets.insertMany(workspaceId, assets, session);
}
