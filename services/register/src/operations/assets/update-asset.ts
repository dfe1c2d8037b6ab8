import { type Call, holds, type Patch } from "@asset-register/rpc";
import { requireFound, requireRev } from "@asset-register/runtime";
import type { Context } from "../../context.ts";
import type { Asset, AssetFields } from "../../domain/assets/asset.ts";
import type { CheckoutView } from "../../domain/custody/checkout.ts";
import { assertCurrency, type GivenCurrency, stripFinance } from "../../domain/finance/finance.ts";
import { openCheckout } from "../custody/open-checkout.ts";
import { changeCustomFields } from "../custom-fields/apply-custom-fields.ts";
import { findPlaces } from "./find-places.ts";
import { planAssetEdit } from "./plan-asset-edit.ts";
import { saveAssetChange } from "./save-asset-change.ts";
import { withVisibleFieldsOf } from "./visible-fields.ts";

/** The fields that a caller changes. One that is present and undefined is cleared. */
export type AssetChanges = Patch<Omit<AssetFields, "customFields"> & { number: string }>;

export type UpdateAsset = {
  id: string;
  change: AssetChanges;
  /** Values by key, as they were sent: `null` removes one. Null instead of an object removes all. */
  customFields?: Readonly<Record<string, unknown>> | null | undefined;
  currencies: readonly GivenCurrency[];
  ifRevIn: readonly number[];
};

/** An asset with its open checkout, as single reads show it. */
export type AssetView = { asset: Asset; checkout: CheckoutView | undefined };

export type UpdatedAsset = AssetView & { strippedFields: string[] };

/**
 * Changes fields of an asset: one rev, one event, one movement if its location or custodian changes, and a row of the
 * history for each kind of change. Where nothing changes, nothing is written.
 */
export function updateAsset(context: Context, input: UpdateAsset, call: Call): Promise<UpdatedAsset> {
  const { mongo, stores, now } = context;
  const { workspaceId } = call;
  const mayWriteFinance = holds(call.principal, "finance");
  const { fields: change, strippedFields } = stripFinance(input.change, mayWriteFinance, { isChange: true });
  return mongo.transaction(call, async (session) => {
    const before = requireFound(await stores.assets.get(workspaceId, input.id, session), "asset");
    const checkout = await openCheckout(context, before, session);
    const placeOf = await findPlaces(context, workspaceId, change, [before], session);
    requireRev(before.rev, input.ifRevIn);
    if (mayWriteFinance) assertCurrency(input.currencies, before.currency);
    const after: Asset = { ...before, ...(change as Partial<Asset>), ...placeOf(before) };
    if (input.customFields !== undefined || Object.hasOwn(change, "categoryId")) {
      const written = { patch: input.customFields, categoryId: after.categoryId };
      after.customFields = await changeCustomFields(context, before, written, session);
    }
    const answer = async (asset: Asset) => ({
      asset: await withVisibleFieldsOf(context, asset, session),
      checkout,
      strippedFields,
    });
    const edit = planAssetEdit(before, after, { reason: "edit", at: now(), by: call.actor });
    return answer(edit ? await saveAssetChange(context, call, edit, session) : before);
  });
}
