import { definedOnly } from "@asset-register/mongo";
import type { Call } from "@asset-register/rpc";
import { invalid, requireFound } from "@asset-register/runtime";
import type { Context } from "../../context.ts";
import { assertNotDisposed } from "../../domain/custody/movement.ts";
import { type ProfileFields, profileChanges } from "../../domain/finance/finance-change.ts";
import { type CausedEffect, onceForCause } from "../custody/once-for-cause.ts";
import { saveAssetChange } from "./save-asset-change.ts";

export type ChangeFinanceFields = {
  workspaceId: string;
  assetId: string;
  causeId: string;
  fields: ProfileFields;
  /** The currency of each amount, by its field in HTTP. */
  currencies: { field: string; currency: string | undefined }[];
};

/** Writes the fields of a depreciation profile: one rev, once for its cause. Equal values write nothing. */
export function changeFinanceFields(
  context: Context,
  input: ChangeFinanceFields,
  call: Call,
): Promise<CausedEffect> {
  const { stores, now } = context;
  const { workspaceId, assetId, causeId } = input;
  return onceForCause(context, call, input, async (session) => {
    const before = requireFound(await stores.assets.get(workspaceId, assetId, session), "asset", "asset_id");
    const others = input.currencies.filter(({ currency }) => currency && currency !== before.currency);
    if (others.length > 0) {
      throw invalid(others.map(({ field }) => ({ field, message: `must be in ${before.currency}` })));
    }
    assertNotDisposed(before);
    const fields: ProfileFields = definedOnly(input.fields);
    const changes = profileChanges(before, fields);
    if (changes.length === 0) return { assetRev: before.rev };
    const history = [{ action: "updated" as const, changes }];
    const change = { before, at: now(), fields, history, causeId };
    const { rev: assetRev } = await saveAssetChange(context, call, change, session);
    return { assetRev, changed: true };
  });
}
