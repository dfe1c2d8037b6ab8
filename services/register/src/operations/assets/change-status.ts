import type { Call } from "@asset-register/rpc";
import { requireFound, requireRev } from "@asset-register/runtime";
import type { Context } from "../../context.ts";
import { planStatusChange } from "../../domain/assets/status-change.ts";
import { openCheckout } from "../custody/open-checkout.ts";
import { saveAssetChange } from "./save-asset-change.ts";
import type { AssetView } from "./update-asset.ts";
import { withVisibleFieldsOf } from "./visible-fields.ts";

export type ChangeStatus = {
  id: string;
  statusId: string;
  note?: string | undefined;
  ifRevIn: readonly number[];
};

/** Sets the status of an asset. Where it has the status already, nothing is written. */
export function changeStatus(context: Context, input: ChangeStatus, call: Call): Promise<AssetView> {
  const { mongo, stores, now } = context;
  const { workspaceId } = call;
  const { statusId, note } = input;
  return mongo.transaction(call, async (session) => {
    const before = requireFound(await stores.assets.get(workspaceId, input.id, session), "asset");
    const to = requireFound(await stores.statuses.get(workspaceId, statusId, session), "status", "status_id");
    requireRev(before.rev, input.ifRevIn);
    const checkout = await openCheckout(context, before, session);
    const change = planStatusChange(before, to, note);
    const asset = change
      ? await saveAssetChange(context, call, { before, at: now(), ...change }, session)
      : before;
    return { asset: await withVisibleFieldsOf(context, asset, session), checkout };
  });
}
