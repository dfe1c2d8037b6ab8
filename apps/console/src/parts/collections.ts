import { api, invalidate, type Schemas } from "../api/client.ts";
import { ApiError } from "../api/problem.ts";
import { ifMatch } from "./if-match.ts";

/** The collections that have the same routes, and what a caller writes to each. */
type Written = {
  "/properties": Schemas["NewProperty"];
  "/buildings": Schemas["NewBuilding"];
  "/floors": Schemas["NewFloor"];
  "/locations": Schemas["NewLocation"];
  "/custodians": Schemas["NewCustodian"];
  "/departments": Schemas["NewDepartment"];
  "/categories": Schemas["NewCategory"];
  "/custom-fields": Schemas["NewCustomField"];
};

export type Collection = keyof Written;
/** A field of at least one collection. */
export type FieldName = { [C in Collection]: keyof Written[C] }[Collection];
export type StoredRecord = { id: string; rev: number } & { [name: string]: unknown };

/** A name or a parent is shown in many lists. Only those on the page are read again. */
export const CHANGED = [
  ...["/locations", "/custodians", "/departments", "/categories"],
  ...["/custom-fields", "/tenant_config", "/assets", "/home"],
];

// The types can't say that the routes of these collections have one form, so one of them stands for all.
const one = (collection: Collection) => `${collection}/{id}` as "/custodians/{id}";

/** @throws ApiError */
export async function readRecord(collection: Collection, id: string): Promise<StoredRecord> {
  const { data } = await api.GET(one(collection), { params: { path: { id } } });
  return data as StoredRecord;
}

/** @throws ApiError */
export const createRecord = (collection: Collection, body: { [name: string]: unknown }) =>
  api.POST(collection as "/custodians", { body: body as Schemas["NewCustodian"] });

/** After a change by somebody else, lists are read again: they show what it is now. */
const readAgain = (error: unknown): never => {
  if (error instanceof ApiError && error.status === 412) invalidate(...CHANGED);
  throw error;
};

/** @throws ApiError 412 if it was changed after it was read */
export const changeRecord = (
  collection: Collection,
  { id, rev }: Pick<StoredRecord, "id" | "rev">,
  body: { [name: string]: unknown },
) =>
  api.PATCH(one(collection), { params: { path: { id }, header: ifMatch({ rev }) }, body }).catch(readAgain);

/** @throws ApiError 412 if it was changed after it was read, 409 if it is in use */
export const deleteRecord = (collection: Collection, { id, rev }: Pick<StoredRecord, "id" | "rev">) =>
  api.DELETE(one(collection), { params: { path: { id }, header: ifMatch({ rev }) } }).catch(readAgain);
