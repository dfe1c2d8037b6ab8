import type { ClientSession } from "@asset-register/mongo";
import type { Context } from "../../context.ts";
import { findReferences } from "../organisation/find-references.ts";

/** @throws AppError NOT_FOUND that names each of `category_ids` which is no category; CONFLICT if one is being deleted */
export async function assertCategories(
  context: Context,
  workspaceId: string,
  ids: readonly string[],
  session: ClientSession,
): Promise<void> {
  const references = ids.map((id, index) => [`category_ids.${index}`, { id, kind: "category" }] as const);
  await findReferences(context, workspaceId, Object.fromEntries(references), session);
}
