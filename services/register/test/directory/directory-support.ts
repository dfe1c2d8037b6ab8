import { newId } from "@asset-register/runtime";
import type { RunningRegister, Workspace } from "../support.ts";

/** Call options of a service for a user of the workspace. */
export const forUser = ({ id: workspaceId }: Pick<Workspace, "id">, userId = "usr_auditor") => ({
  onBehalfOf: { workspaceId, actor: { kind: "user" as const, id: userId } },
});

/** Stores copies of an asset, and returns their ids in order. Raw documents, as there are many. */
export async function copyAssets(
  { mongo }: Pick<RunningRegister, "mongo">,
  { id: workspaceId }: Pick<Workspace, "id">,
  assetId: string,
  copies: object[],
): Promise<string[]> {
  const assets = mongo.collection<{ _id: string; workspaceId: string }>("assets");
  const original = await assets.findOne({ _id: assetId, workspaceId });
  if (!original) throw new Error(`there is no asset ${assetId}`);
  const documents = copies.map((fields) => {
    const _id = newId("ast");
    return { ...original, numberKey: _id, numberKeys: [_id], number: _id, ...fields, _id };
  });
  await assets.insertMany(documents);
  return documents.map(({ _id }) => _id);
}

/** All pages of a list. */
export async function allPages<P, C>(
  read: (cursor: C | undefined) => Promise<P>,
  next: (page: P) => C | undefined,
): Promise<P[]> {
  const pages: P[] = [];
  for (let cursor: C | undefined; ; ) {
    const page = await read(cursor);
    pages.push(page);
    cursor = next(page);
    if (cursor === undefined) return pages;
  }
}
