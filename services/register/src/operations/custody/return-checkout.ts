import type { ClientSession } from "@asset-register/mongo";
import type { Call } from "@asset-register/rpc";
import { conflict, newId, requireFound, requireRev } from "@asset-register/runtime";
import type { Context } from "../../context.ts";
import type { Asset } from "../../domain/assets/asset.ts";
import {
  type Checkout,
  type CheckoutView,
  type Condition,
  checkoutChange,
  returnAsset,
  returnDestination,
  withOverdue,
} from "../../domain/custody/checkout.ts";
import { move } from "../../domain/custody/movement.ts";
import { saveAssetChange } from "../assets/save-asset-change.ts";

export type ReturnCheckout = {
  target: { checkoutId: string } | { assetId: string };
  conditionIn?: Condition | undefined;
  note?: string | undefined;
  returnedAt?: Date | undefined;
  /** Revisions of what `target` names. */
  ifRevIn: readonly number[];
};

/** Returns an asset, to its earlier custodian if the checkout set the present one. */
export function returnCheckout(context: Context, input: ReturnCheckout, call: Call): Promise<CheckoutView> {
  const { mongo, stores, now } = context;
  const { workspaceId } = call;
  const { conditionIn, note } = input;
  return mongo.transaction(call, async (session) => {
    const { checkout, before } = await findTarget(context, workspaceId, input, session);
    const at = now();
    const returned = returnAsset(checkout, { at: input.returnedAt, conditionIn, note, now: at });
    await stores.checkouts.save(workspaceId, returned, checkout.rev, session);
    const cause = {
      movementId: newId("mov"),
      reason: "return",
      ref: checkout.id,
      note,
      // The asset was back from this time on.
      at: returned.returnedAt ?? at,
      by: call.actor,
    };
    await saveAssetChange(
      context,
      call,
      {
        before,
        at,
        move: move(before, returnDestination(before, checkout), cause),
        checkout: { change: checkoutChange(before, undefined), checkout: returned, action: "returned" },
      },
      session,
    );
    return withOverdue(returned, at);
  });
}

async function findTarget(
  { stores }: Context,
  workspaceId: string,
  { target, ifRevIn }: Pick<ReturnCheckout, "target" | "ifRevIn">,
  session: ClientSession,
): Promise<{ checkout: Checkout; before: Asset }> {
  if ("checkoutId" in target) {
    const found = await stores.checkouts.get(workspaceId, target.checkoutId, session);
    const checkout = requireFound(found, "checkout", "checkout_id");
    requireRev(checkout.rev, ifRevIn);
    const before = requireFound(await stores.assets.get(workspaceId, checkout.assetId, session), "asset");
    return { checkout, before };
  }
  const found = await stores.assets.get(workspaceId, target.assetId, session);
  const before = requireFound(found, "asset", "asset_id");
  requireRev(before.rev, ifRevIn);
  const { openCheckoutId } = before;
  const checkout = openCheckoutId
    ? await stores.checkouts.get(workspaceId, openCheckoutId, session)
    : undefined;
  if (!checkout)
    throw conflict("ASSET_NOT_CHECKED_OUT", "The asset is not checked out.", [
      { field: "asset_id", message: before.id },
    ]);
  return { checkout, before };
}
