import { randomBytes } from "node:crypto";
import { conflict, invalid, notFound, requireRev } from "@asset-register/runtime";
import type { Caller, Identity } from "../context.ts";
import { apiKeyText, checkOverlap, overlap, rotate } from "../domain/api-key.ts";
import { act } from "../domain/audit.ts";
import { sha256 } from "../domain/token.ts";
import { requireApiAccess } from "../domain/workspace.ts";
import type { CreatedApiKey } from "./create-api-key.ts";

export type RotateApiKey = {
  id: string;
  overlapSeconds?: number | undefined;
  ifRevIn: readonly number[];
};

/** Gives a key a new text; the one before is taken until the overlap ends (a day when not said). */
export async function rotateApiKey(
  { mongo, workspaces, apiKeys, versions, audit, clock }: Identity,
  { id, overlapSeconds = overlap.usual, ifRevIn }: RotateApiKey,
  caller: Caller,
): Promise<CreatedApiKey> {
  const violations = checkOverlap(overlapSeconds);
  if (violations.length > 0) throw invalid(violations);
  const { workspaceId } = caller;
  const text = apiKeyText(randomBytes(32));
  const rotated = await mongo.transaction(caller, async (session) => {
    const now = clock();
    const [workspace, before] = [
      await workspaces.find(workspaceId, session),
      await apiKeys.find(workspaceId, id, session),
    ];
    if (workspace === undefined || before === undefined) throw notFound();
    requireRev(before.version, ifRevIn);
    requireApiAccess(workspace);
    const key = rotate(before, sha256(text), overlapSeconds, now);
    if (!(await apiKeys.replace(workspaceId, key, before.version, session))) {
      throw conflict("CONFLICT", "The key was changed at the same time");
    }
    const changes = [{ field: "overlap_seconds", after: String(overlapSeconds) }];
    await audit.add(workspaceId, act(caller, now, "api_key.rotated", id, changes), session);
    return { key, text };
  });
  await versions.raise(id, rotated.key.version);
  return rotated;
}
