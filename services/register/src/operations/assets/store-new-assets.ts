import type { ClientSession } from "@asset-register/mongo";
import type { Call } from "@asset-register/rpc";
import type { Context } from "../../context.ts";
import type { Asset } from "../../domain/assets/asset.ts";
import type { Status } from "../../domain/assets/status.ts";
import { assetCreated } from "../../published.ts";
import { type CustomFieldRules, storeCustomFields } from "../custom-fields/custom-field-rules.ts";
import { historyEntry } from "./save-asset-change.ts";

/** Stores valid assets in the caller's transaction, each with its history, its unique values and its event. */
export async function storeNewAssets(
  context: Context,
  cause: Pick<Call, "workspaceId" | "actor" | "requestId">,
  assets: readonly Asset[],
  { status, rules }: { status: Status; rules: CustomFieldRules },
  session: ClientSession,
): Promise<void> {
  if (assets.length === 0) return;
  const { stores, outbox } = context;
  const { workspaceId } = cause;
  const writes = assets.map(({ id, customFields }) => ({
    assetId: id,
    before: undefined,
    after: customFields,
  }));
  await storeCustomFields(context, workspaceId, rules, writes, session);
  const entries = assets.map((asset) =>
    historyEntry(cause, asset, { at: asset.createdAt, action: "created", changes: [] }),
  );
  await stores.history.append(workspaceId, entries, session);
  await outbox.add(session, ...assets.map((asset) => assetCreated(asset, status)));
  // Last: it raises a count that other creations raise too, and whoever comes second begins its transaction again.
  await stores.assets.insertMany(workspaceId, assets, session);
}
