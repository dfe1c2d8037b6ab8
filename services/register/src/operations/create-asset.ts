import type { ClientSession } from "@asset-register/mongo";
import { type Call, hasScope, holds } from "@asset-register/rpc";
import { invalid, newId } from "@asset-register/runtime";
import type { Context } from "../context.ts";
import { type Asset, type AssetFields, newAsset } from "../domain/asset.ts";
import { assertCurrency, type GivenCurrency, stripFinance } from "../domain/finance.ts";
import { decidePlace } from "../domain/place.ts";
import type { Status } from "../domain/status.ts";
import { assetCreated } from "../published.ts";
import { isNumberTaken, numberTaken } from "../store/assets.ts";
import { applyCustomFields } from "./apply-custom-fields.ts";
import { findReferences } from "./find-references.ts";
import { nextAssetNumber, skipTakenNumbers } from "./next-asset-number.ts";
import { requireWorkspace } from "./require-workspace.ts";
import { historyEntry } from "./save-asset-change.ts";
import { getDefaultStatus } from "./statuses.ts";

export type CreateAsset = {
  number?: string | undefined;
  fields: AssetFields;
  /** Values by key, as they were sent. */
  customFields?: Readonly<Record<string, unknown>> | undefined;
  currencies: readonly GivenCurrency[];
};

export type CreatedAsset = { asset: Asset; strippedFields: string[] };

/** How many numbers of the counter may be taken before the creation fails. */
const ATTEMPTS = 5;

/** Creates an asset in the default status. Without a number it gets the next one of the workspace's counter. */
export async function createAsset(context: Context, input: CreateAsset, call: Call): Promise<CreatedAsset> {
  const { workspaceId } = call;
  const mayWriteFinance = holds(call.principal, "finance") || hasScope(call.principal, "finance");
  const { fields: given, strippedFields } = stripFinance(input.fields, mayWriteFinance);
  const [workspace, status] = await Promise.all([
    requireWorkspace(context, workspaceId),
    getDefaultStatus(context, workspaceId),
  ]);
  const { currency, numberPrefix } = workspace;
  if (mayWriteFinance) assertCurrency(input.currencies, currency);

  for (let attempt = 1; ; attempt += 1) {
    const next = input.number ? undefined : await nextAssetNumber(context, workspaceId, numberPrefix);
    const number = next?.number ?? input.number ?? "";
    const own = { id: newId("ast"), workspaceId, number, statusId: status.id, currency };
    const asset = newAsset(given, own, context.now(), call.actor);
    try {
      return await insert(context, call, { asset, strippedFields }, input.customFields, status);
    } catch (error) {
      if (!isNumberTaken(error)) throw error;
      if (!next || attempt === ATTEMPTS) throw numberTaken();
      await skipTakenNumbers(context, workspaceId, numberPrefix, next.counter);
    }
  }
}

function insert(
  context: Context,
  call: Call,
  { asset: given, strippedFields }: CreatedAsset,
  patch: CreateAsset["customFields"],
  status: Status,
): Promise<CreatedAsset> {
  const { mongo, stores, outbox } = context;
  return mongo.transaction(call, async (session) => {
    const placed = await withPlace(context, given, session);
    const { workspaceId, id: assetId, categoryId } = placed;
    const customFields = await applyCustomFields(
      context,
      { workspaceId, assetId, patch, categoryId },
      session,
    );
    const asset = { ...placed, customFields };
    await stores.assets.insert(workspaceId, asset, session);
    const entry = historyEntry(call, asset, { at: asset.createdAt, action: "created", changes: [] });
    await stores.history.append(workspaceId, [entry], session);
    await outbox.add(session, assetCreated(asset, status));
    return { asset, strippedFields };
  });
}

/** The asset with the place that its lowest level decides. Each record that it refers to must exist. */
async function withPlace(context: Context, asset: Asset, session: ClientSession): Promise<Asset> {
  const references = {
    category_id: { id: asset.categoryId, kind: "category" },
    department_id: { id: asset.departmentId, kind: "department" },
    property_id: { id: asset.propertyId, kind: "property" },
    building_id: { id: asset.buildingId, kind: "building" },
    floor_id: { id: asset.floorId, kind: "floor" },
    location_id: { id: asset.locationId, kind: "location" },
    custodian_id: { id: asset.custodianId, kind: "custodian" },
  } as const;
  const found = await findReferences(context, asset.workspaceId, references, session);
  const { place, disagreements } = decidePlace({
    property: found.property_id,
    building: found.building_id,
    floor: found.floor_id,
    location: found.location_id,
  });
  if (disagreements.length > 0) throw invalid(disagreements);
  return { ...asset, ...place };
}
