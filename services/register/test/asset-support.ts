import { eventually } from "@asset-register/harness";
import type { AssetSchema } from "@asset-register/proto/assetregister/register/v1/asset_pb";
import { topics } from "@asset-register/proto/topics";
import { snakeCase } from "@asset-register/runtime";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { RunningRegister, Workspace } from "./support.ts";

export const euros = (minorUnits: bigint) => ({ minorUnits, currency: "EUR" });

type Fields = Omit<MessageInitShape<typeof AssetSchema>, "$typeName" | "$unknown">;

/** Changes the given fields of an asset: those that are undefined are cleared. */
export const patchAsset = (
  { assets }: Pick<RunningRegister, "assets">,
  as: Workspace["admin"],
  id: string,
  fields: Partial<Fields>,
  ifRevIn: number[] = [],
  paths = Object.keys(fields).map(snakeCase),
) => assets.updateAsset({ asset: { ...fields, id }, updateMask: { paths }, ifRevIn }, as);

export async function readAsset(
  { assets }: Pick<RunningRegister, "assets">,
  { admin }: Workspace,
  id: string,
) {
  const { asset } = await assets.getAsset({ id }, admin);
  if (!asset) throw new Error("the answer has no asset");
  return asset;
}

/** The workspace's statuses by key: "in_stock", "lost". */
export async function statusIds(
  { assets }: Pick<RunningRegister, "assets">,
  { admin }: Workspace,
): Promise<Record<string, string>> {
  const { statuses } = await assets.listStatuses({}, admin);
  return Object.fromEntries(statuses.map(({ key, id }) => [key, id]));
}

export const historyOf = async (
  { assets }: Pick<RunningRegister, "assets">,
  { admin }: Workspace,
  assetId: string,
) => (await assets.listHistory({ assetId, page: { limit: 1000 } }, admin)).entries;

/** Publishes a sighting of an asset, and waits until the asset has it. */
export async function makeSighting(register: RunningRegister, workspace: Workspace, assetId: string) {
  const at = new Date();
  const sighting = { assetId, readerId: "rdr_1", zoneId: "zon_1", at: timestampFromDate(at) };
  await register.publish({
    ...{ topic: topics.sighting, workspaceId: workspace.id, subject: assetId, sequence: 1 },
    ...{ type: "sighting.seen", message: { sighting, change: { case: "seen", value: {} } }, time: at },
  });
  await eventually(async () => {
    if ((await readAsset(register, workspace, assetId)).lastSeen?.readerId !== "rdr_1")
      throw new Error("not yet seen");
  });
}
