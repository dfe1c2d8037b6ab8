import { type Call, hasScope, holds } from "@asset-register/rpc";
import { AppError, conflict, invalid, newId } from "@asset-register/runtime";
import { type Asset, type AssetFields, newAsset } from "../domain/asset.ts";
import { type FinanceFields, stripFinance } from "../domain/finance.ts";
import { decidePlace } from "../domain/place.ts";
import type { Status } from "../domain/status.ts";
import { assetCreated } from "../published.ts";
import type { Register } from "../register.ts";
import { isNumberTaken } from "../store/assets.ts";
import { findReferences } from "./find-references.ts";
import { giveNumber, skipTakenNumbers } from "./give-number.ts";
import { knowDefaultStatus } from "./know-statuses.ts";
import { knowWorkspace } from "./know-workspace.ts";

export type CreateAsset = {
  number?: string | undefined;
  fields: AssetFields;
  finance: FinanceFields;
  /** The currency that each amount was given in, by field. */
  currencies: { field: string; currency: string }[];
};

export type CreatedAsset = { asset: Asset; strippedFields: string[] };

/** How often a number of the counter may turn out to be taken, before it is somebody else's turn to try. */
const ATTEMPTS = 5;

/** Makes an asset in the default status, with the counter's next number unless one is given. */
export async function createAsset(register: Register, input: CreateAsset, call: Call): Promise<CreatedAsset> {
  const { stores, now } = register;
  const { workspaceId } = call;
  const mayWriteFinance = holds(call.principal, "finance") || hasScope(call.principal, "finance");
  const { finance, strippedFields } = stripFinance(input.finance, mayWriteFinance);
  const [workspace, status, fields] = await Promise.all([
    knowWorkspace(stores.workspaces, workspaceId),
    knowDefaultStatus(stores.statuses, workspaceId),
    placedFields(register, workspaceId, input.fields),
  ]);
  if (mayWriteFinance) refuseOtherCurrencies(input.currencies, workspace.currency);

  const build = (number: string): Asset =>
    newAsset({
      id: newId("ast"),
      workspaceId,
      number,
      statusId: status.id,
      currency: workspace.currency,
      fields,
      finance,
      at: now(),
      by: call.actor,
    });
  for (let attempt = 1; ; attempt += 1) {
    const given = input.number ? undefined : await giveNumber(stores, workspaceId, workspace.numberPrefix);
    const number = given?.number ?? input.number ?? "";
    try {
      return await store(register, call, { asset: build(number), strippedFields }, status);
    } catch (error) {
      if (!isNumberTaken(error)) throw error;
      if (!given || attempt === ATTEMPTS) throw numberTaken();
      await skipTakenNumbers(stores, workspaceId, workspace.numberPrefix, given.counter);
    }
  }
}

function store(register: Register, call: Call, created: CreatedAsset, status: Status): Promise<CreatedAsset> {
  const { mongo, stores, outbox } = register;
  const { asset } = created;
  return mongo.transaction(call, async (session) => {
    await stores.assets.insert(asset.workspaceId, asset, session);
    const entry = {
      id: newId("his"),
      workspaceId: asset.workspaceId,
      assetId: asset.id,
      at: asset.createdAt,
      actor: asset.createdBy,
      action: "created" as const,
      changes: [],
      requestId: call.requestId,
    };
    await stores.history.append(asset.workspaceId, [entry], session);
    await outbox.add(session, assetCreated(asset, status.class));
    return created;
  });
}

/** Checks what the asset refers to, and lets the lowest place decide those above it. */
async function placedFields(
  { stores }: Register,
  workspaceId: string,
  fields: AssetFields,
): Promise<AssetFields> {
  const found = await findReferences(stores.organisation, workspaceId, {
    category_id: { id: fields.categoryId, kind: "category" },
    department_id: { id: fields.departmentId, kind: "department" },
    property_id: { id: fields.propertyId, kind: "property" },
    building_id: { id: fields.buildingId, kind: "building" },
    floor_id: { id: fields.floorId, kind: "floor" },
    location_id: { id: fields.locationId, kind: "location" },
    custodian_id: { id: fields.custodianId, kind: "custodian" },
  });
  const { place, disagreements } = decidePlace({
    property: found.property_id,
    building: found.building_id,
    floor: found.floor_id,
    location: found.location_id,
  });
  if (disagreements.length > 0) throw invalid(disagreements);
  return { ...fields, ...place };
}

function refuseOtherCurrencies(given: CreateAsset["currencies"], currency: string): void {
  const other = given.filter((amount) => amount.currency !== "" && amount.currency !== currency);
  if (other.length === 0) return;
  throw invalid(other.map(({ field }) => ({ field, message: `must be in ${currency}` })));
}

function numberTaken(): AppError {
  const { kind, code, message } = conflict("ASSET_NUMBER_TAKEN", "The number is given to another asset.");
  return new AppError({ kind, code, message, violations: [{ field: "number", message: "is taken" }] });
}
