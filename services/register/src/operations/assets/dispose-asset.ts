import type { Call } from "@asset-register/rpc";
import { localDate, requireFound, requireRev } from "@asset-register/runtime";
import { requireWorkspace } from "@asset-register/service";
import type { Context } from "../../context.ts";
import type { Disposal, DisposalMethod } from "../../domain/assets/disposal.ts";
import { assertCanDispose, disposalChanges, disposalDate } from "../../domain/assets/disposal-rules.ts";
import { assertCurrency, type GivenCurrency } from "../../domain/finance/finance.ts";
import { auditEntry } from "../../published.ts";
import { saveAssetChange } from "./save-asset-change.ts";
import { existing } from "./statuses.ts";
import type { AssetView } from "./update-asset.ts";
import { withVisibleFieldsOf } from "./visible-fields.ts";

export type DisposeAsset = {
  id: string;
  /** YYYY-MM-DD. Today if absent. */
  date?: string | undefined;
  method: DisposalMethod;
  proceeds?: number | undefined;
  note?: string | undefined;
  currencies: readonly GivenCurrency[];
  ifRevIn: readonly number[];
};

/** Disposes of an asset: its status, the disposal, the history, the audit log and one event. The event frees its tags. */
export async function disposeAsset(context: Context, input: DisposeAsset, call: Call): Promise<AssetView> {
  const { mongo, stores, outbox, now } = context;
  const { workspaceId } = call;
  const { method, proceeds, note } = input;
  const { timeZone, currency } = await requireWorkspace(context, workspaceId);
  return mongo.transaction(call, async (session) => {
    const before = requireFound(await stores.assets.get(workspaceId, input.id, session), "asset");
    requireRev(before.rev, input.ifRevIn);
    assertCurrency(input.currencies, currency);
    assertCanDispose(before);
    const at = now();
    const date = disposalDate(before, input.date, localDate(at, timeZone));
    const disposed: Disposal = { at, date, method, proceeds, note, by: call.actor };
    const found = await stores.statuses.getByKey(workspaceId, "disposed", session);
    const status = existing(found, workspaceId, "disposed");
    const changes = disposalChanges(disposed, currency);
    const history = [
      { action: "disposed" as const, changes, note },
      // The status at an instant is read from rows of this kind.
      {
        action: "status" as const,
        changes: [{ field: "status_id", before: before.statusId, after: status.id }],
      },
    ];
    const fields = { disposed, statusId: status.id };
    const asset = await saveAssetChange(context, call, { before, at, fields, history }, session);
    await outbox.add(session, auditEntry(call, at, "asset.disposed", asset.id, changes));
    return { asset: await withVisibleFieldsOf(context, asset, session), checkout: undefined };
  });
}
