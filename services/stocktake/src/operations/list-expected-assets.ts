import type { Page, PageQuery } from "@asset-register/rpc";
import { conflict, requireFound } from "@asset-register/runtime";
import type { Context } from "../context.ts";
import type { ExpectedAsset } from "../domain/expected-asset.ts";
import { hidesExpected, resultsOf } from "../domain/session.ts";

/** @throws AppError NOT_FOUND; STOCKTAKE_BLIND before the first reconcile of a blind session */
export async function listExpectedAssets(
  { stores }: Context,
  workspaceId: string,
  sessionId: string,
  page: PageQuery,
): Promise<Page<ExpectedAsset>> {
  const session = requireFound(await stores.sessions.get(workspaceId, sessionId), "session");
  if (hidesExpected(session))
    throw conflict("STOCKTAKE_BLIND", "The session is blind. Reconcile it first.", [
      { field: "blind", message: "true" },
    ]);
  // A draft may have rows of an opening that failed.
  const rowsOf = session.status === "draft" ? "" : sessionId;
  const found = await stores.expectedAssets.list(workspaceId, rowsOf, page, session.expected);
  if (resultsOf(session) !== "") return found;
  return { ...found, items: found.items.map((row) => ({ ...row, scanned: false })) };
}
