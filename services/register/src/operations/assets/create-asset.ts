import type { Call } from "@asset-register/rpc";
import type { Context } from "../../context.ts";
import { type CreateAsset, type CreatedAsset, createRows } from "./create-rows.ts";

/** Creates an asset in the default status. Without a number it gets the next one of the workspace's counter. */
export function createAsset(context: Context, input: CreateAsset, call: Call): Promise<CreatedAsset> {
  return createRows(context, [input], call, ([created]) => {
    if (!created) throw new Error("a creation has no result");
    if ("error" in created) throw created.error;
    return created;
  });
}
