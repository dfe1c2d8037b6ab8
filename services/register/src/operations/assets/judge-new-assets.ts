import type { ClientSession } from "@asset-register/mongo";
import { newId } from "@asset-register/runtime";
import type { Context } from "../../context.ts";
import { type Asset, type AssetFields, newAsset } from "../../domain/assets/asset.ts";
import { numberKey } from "../../domain/assets/asset-number.ts";
import { requireAgreement } from "../../domain/assets/asset-place.ts";
import { attempt, type Check, type Judged, throwing } from "../../domain/assets/judged.ts";
import type { Status } from "../../domain/assets/status.ts";
import { uniqueValueChanges } from "../../domain/custom-fields/custom-field-merge.ts";
import type { OrganisationRecord } from "../../domain/organisation/organisation.ts";
import { decidePlace, type NamedPlaces } from "../../domain/organisation/place.ts";
import { numberTaken } from "../../store/assets/assets.ts";
import { valueKeyOf, valueTaken } from "../../store/assets/unique-values.ts";
import {
  type CustomFieldRules,
  loadCustomFieldRules,
  mergedCustomFields,
} from "../custom-fields/custom-field-rules.ts";
import { pickReferences, type Reference } from "../organisation/find-references.ts";
import type { Cause } from "./save-asset-change.ts";

/** An asset to be created. */
export type NewAssetRow = {
  cause: Cause;
  /** Absent where a row is only judged. */
  number?: string | undefined;
  /** The number is of the counter: it is not looked up, since the unique index finds the rare one that a caller has given. */
  isReserved?: boolean;
  fields: AssetFields;
  /** Values by key, as they were sent. */
  customFields?: Readonly<Record<string, unknown>> | undefined;
};

/** The values that all rows of a creation share. */
export type Creation = { workspaceId: string; status: Status; currency: string };

/** The records that the rows of a write refer to, each kind read in one query. */
export type Lookups = {
  records: ReadonlyMap<string, OrganisationRecord>;
  /** Keys of numbers that assets have or had. */
  taken: ReadonlySet<string>;
  rules: CustomFieldRules;
  now: Date;
};

/** The references of an asset, by the fields' names in HTTP. */
export const assetReferences = (fields: Partial<AssetFields>) =>
  ({
    category_id: { id: fields.categoryId, kind: "category" },
    department_id: { id: fields.departmentId, kind: "department" },
    property_id: { id: fields.propertyId, kind: "property" },
    building_id: { id: fields.buildingId, kind: "building" },
    floor_id: { id: fields.floorId, kind: "floor" },
    location_id: { id: fields.locationId, kind: "location" },
    custodian_id: { id: fields.custodianId, kind: "custodian" },
  }) as const satisfies Record<string, Reference>;

/** The places among the records that an asset refers to. */
export const namedPlaces = (
  found: Partial<Record<keyof ReturnType<typeof assetReferences>, OrganisationRecord>>,
): NamedPlaces => ({
  property: found.property_id,
  building: found.building_id,
  floor: found.floor_id,
  location: found.location_id,
});

/** Reads what rows refer to. In a transaction, what they are judged by is what is stored with them. */
export async function lookUpRows(
  context: Context,
  workspaceId: string,
  rows: readonly (Pick<NewAssetRow, "number" | "isReserved"> & { fields: Partial<AssetFields> })[],
  categoryIds: readonly (string | undefined)[],
  session?: ClientSession,
): Promise<Lookups> {
  const { stores, now } = context;
  const references = new Set(
    rows.flatMap(({ fields }) => Object.values(assetReferences(fields)).flatMap(({ id }) => id ?? [])),
  );
  const numbers = rows.flatMap(({ number, isReserved }) => (isReserved ? [] : (number ?? [])));
  // One after the other: a transaction is no place for parallel reads.
  const records = await stores.organisation.getMany(workspaceId, [...references], session);
  const taken = await stores.assets.takenNumbers(workspaceId, numbers, session);
  const rules = await loadCustomFieldRules(context, workspaceId, categoryIds, session);
  return { records, taken, rules, now: now() };
}

/** Judges rows that become assets. A number and a unique value go to the first row that has them. */
export async function judgeNewAssets(
  context: Context,
  creation: Creation,
  rows: readonly NewAssetRow[],
  session?: ClientSession,
): Promise<{ judged: Judged<{ asset: Asset }>[]; rules: CustomFieldRules }> {
  const { workspaceId } = creation;
  const categories = rows.map(({ fields }) => fields.categoryId);
  const lookups = await lookUpRows(context, workspaceId, rows, categories, session);
  const drafts = rows.map((row) => attempt(() => ({ asset: draftAsset(creation, row, lookups) })));
  const numbers = new Set(lookups.taken);
  const judged = drafts.map((draft) => {
    if ("error" in draft) return draft;
    const key = numberKey(draft.asset.number);
    if (numbers.has(key)) return { error: numberTaken() };
    numbers.add(key);
    return draft;
  });
  return {
    judged: await refuseTakenValues(context, workspaceId, judged, lookups.rules, session),
    rules: lookups.rules,
  };
}

/** @throws AppError that says why the row is refused, unless `check` collects it */
export function draftAsset(
  creation: Creation,
  { cause, number, fields, customFields }: NewAssetRow,
  lookups: Lookups,
  check: Check = throwing,
): Asset {
  const { workspaceId, status, currency } = creation;
  const found = check(() => pickReferences(lookups.records, assetReferences(fields), lookups.now), {});
  const place = check(() => requireAgreement(decidePlace(namedPlaces(found))), {});
  const patch = { patch: customFields, categoryId: fields.categoryId };
  const values = mergedCustomFields(lookups.rules, patch, check);
  const own = { id: newId("ast"), workspaceId, number: number ?? "", statusId: status.id, currency };
  return newAsset({ ...fields, ...place, customFields: values }, own, lookups.now, cause.actor);
}

/** A draft with the values that the asset had before. */
type WithValues = { asset: Asset; before?: Pick<Asset, "customFields"> };

/**
 * Refuses the rows whose unique values another asset or an earlier row has. A row that does not claim its values, since
 * it is refused anyway, takes none from later rows.
 */
export async function refuseTakenValues<T extends WithValues>(
  { stores }: Context,
  workspaceId: string,
  judged: readonly Judged<T>[],
  { fields }: CustomFieldRules,
  session?: ClientSession,
  claims: (draft: T) => boolean = () => true,
): Promise<Judged<T>[]> {
  if (!fields.some(({ unique }) => unique)) return [...judged];
  const valuesOf = ({ asset, before }: T) =>
    uniqueValueChanges(fields, before?.customFields ?? {}, asset.customFields ?? {}).taken;
  const wanted = judged.flatMap((draft) => ("error" in draft ? [] : valuesOf(draft)));
  const owners = await stores.uniqueValues.ownersOfValues(workspaceId, wanted, session);
  return judged.map((draft) => {
    if ("error" in draft) return draft;
    const values = valuesOf(draft);
    const other = values.find(
      (value) => (owners.get(valueKeyOf(value)) ?? draft.asset.id) !== draft.asset.id,
    );
    if (other) return { error: valueTaken(other.key) };
    if (claims(draft)) for (const value of values) owners.set(valueKeyOf(value), draft.asset.id);
    return draft;
  });
}
