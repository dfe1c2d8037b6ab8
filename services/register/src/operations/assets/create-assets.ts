import type { Call } from "@asset-register/rpc";
import type { Context } from "../../context.ts";
import type { Judged } from "../../domain/assets/judged.ts";
import { type CreateAsset, type CreateResult, createRows } from "./create-rows.ts";

/** Creates many assets in one transaction. Invalid ones are refused one by one, the others are created. */
export function createAssets(
  context: Context,
  inputs: readonly Judged<CreateAsset>[],
  call: Call,
): Promise<CreateResult[]> {
  const rows = inputs.map((input) => ({ input, call }));
  return createRows(context, call.workspaceId, rows, { call, end: (results) => results });
}
