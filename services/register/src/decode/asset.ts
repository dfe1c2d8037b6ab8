import type {
  Asset,
  ChangeStatusRequest,
  CreateAssetRequest,
  CreateAssetsRequest,
  DeleteAssetRequest,
  DisposeAssetRequest,
  GetAssetPositionRequest,
  ListAssetsRequest,
  UpdateAssetRequest,
  UpdateAssetsRequest,
} from "@asset-register/proto/assetregister/register/v1/asset_pb";
import { limits } from "@asset-register/proto/limits";
import { decodeInstant, field, type PageQuery, pageRequest, parse, parsePatch } from "@asset-register/rpc";
import { invalid, isCalendarDate, queryPrefixes } from "@asset-register/runtime";
import type { JsonObject } from "@bufbuild/protobuf";
import { z } from "zod";
import { type AssetListFilter, sortOf } from "../domain/assets/asset-list.ts";
import { problemOfProceeds } from "../domain/assets/disposal-rules.ts";
import { attempt, type Judged } from "../domain/assets/judged.ts";
import type { GivenCurrency } from "../domain/finance/finance.ts";
import { depreciationMethodNames, disposalMethodNames } from "../encode/asset.ts";
import type { ChangeStatus } from "../operations/assets/change-status.ts";
import type { CreateAsset } from "../operations/assets/create-rows.ts";
import type { AssetAtRev } from "../operations/assets/delete-asset.ts";
import type { DisposeAsset } from "../operations/assets/dispose-asset.ts";
import type { UpdateAsset } from "../operations/assets/update-asset.ts";
import type { UpdateAssets } from "../operations/assets/update-assets.ts";
import type { GetAssetPosition } from "../operations/custody/get-asset-position.ts";

export const calendarDate = z.string().refine(isCalendarDate, "must be a date, YYYY-MM-DD");

const newAsset = z.object({
  number: field.optionalText(limits.code),
  name: field.text(limits.name),
  description: field.optionalText(limits.description),
  categoryId: field.optionalId(),
  departmentId: field.optionalId(),
  propertyId: field.optionalId(),
  buildingId: field.optionalId(),
  floorId: field.optionalId(),
  locationId: field.optionalId(),
  custodianId: field.optionalId(),
  serialNumber: field.optionalText(limits.line),
  manufacturer: field.optionalText(limits.line),
  model: field.optionalText(limits.line),
  cost: field.optionalAmount(),
  salvageValue: field.optionalAmount(),
  usefulLifeMonths: field.integer({ min: 1, max: limits.usefulLifeMonths }).optional(),
  inServiceDate: calendarDate.optional(),
  depreciationMethod: field.optionalEnum(depreciationMethodNames),
  supplier: field.optionalText(limits.line),
  purchaseOrder: field.optionalText(limits.line),
  invoiceNumber: field.optionalText(limits.line),
  // The rules of the workspace's custom fields decide.
  customFields: z.custom<JsonObject>().optional(),
});

/** Decodes each asset separately, so that an invalid one does not make the others fail. */
export function decodeCreateAssets({ assets }: CreateAssetsRequest): Judged<CreateAsset>[] {
  if (assets.length > limits.assets) {
    throw invalid([{ field: "assets", message: `must have at most ${limits.assets} assets` }]);
  }
  return assets.map((asset) => attempt(() => decodeNewAsset(asset)));
}

export function decodeCreateAsset({ asset }: CreateAssetRequest): CreateAsset {
  return decodeNewAsset(asset);
}

function decodeNewAsset(asset: Asset | undefined): CreateAsset {
  const { number, customFields, ...fields } = parse(newAsset, asset ?? {});
  return { number, fields, customFields, currencies: currenciesOf(asset) };
}

const currenciesOf = (asset: Asset | undefined): GivenCurrency[] => [
  { field: "cost", currency: asset?.cost?.currency },
  { field: "salvage_value", currency: asset?.salvageValue?.currency },
];

const oneAsset = z.object({ id: field.id(), ifRevIn: z.array(z.number()) });
// An asset always has a number.
const change = newAsset.extend({ number: field.text(limits.code) });

export function decodeUpdateAsset({ asset, updateMask, ifRevIn }: UpdateAssetRequest): UpdateAsset {
  const { id } = parse(oneAsset, { id: asset?.id, ifRevIn });
  const named = parsePatch(change, asset, updateMask);
  const { customFields: values = null, ...changes } = named;
  const customFields = Object.hasOwn(named, "customFields") ? values : undefined;
  return { id, ifRevIn, change: changes, customFields, currencies: currenciesOf(asset) };
}

const sharedChange = newAsset
  .pick({ locationId: true, custodianId: true, departmentId: true, categoryId: true })
  .extend({ statusId: field.id() });

export function decodeUpdateAssets({ assetIds, asset, updateMask }: UpdateAssetsRequest): UpdateAssets {
  if (assetIds.length === 0 || assetIds.length > limits.assets) {
    throw invalid([{ field: "asset_ids", message: `must have 1 to ${limits.assets} ids` }]);
  }
  if (new Set(assetIds).size < assetIds.length) {
    throw invalid([{ field: "asset_ids", message: "must have each id once" }]);
  }
  const { statusId, ...change } = parsePatch(sharedChange, asset, updateMask);
  if (statusId === undefined && Object.keys(change).length === 0) {
    throw invalid([{ field: "update_mask", message: "must name a field" }]);
  }
  return { assetIds, change, statusId };
}

export function decodeAssetAtRev(request: AssetAtRev): AssetAtRev {
  return parse(oneAsset, request);
}

export function decodeDeleteAsset(request: DeleteAssetRequest): AssetAtRev {
  return parse(oneAsset, request);
}

const note = field.optionalText(limits.note);
const statusChange = oneAsset.extend({ statusId: field.id(), note });

export function decodeChangeStatus(request: ChangeStatusRequest): ChangeStatus {
  return parse(statusChange, request);
}

const disposal = oneAsset
  .extend({
    date: calendarDate.optional(),
    method: field.enum(disposalMethodNames),
    proceeds: field.optionalAmount(),
    note,
  })
  .superRefine(({ method, proceeds }, { addIssue }) => {
    const message = problemOfProceeds(method, proceeds);
    if (message) addIssue({ code: "custom", path: ["proceeds"], message });
  });

export function decodeDisposeAsset(request: DisposeAssetRequest): DisposeAsset {
  const currencies = [{ field: "proceeds", currency: request.proceeds?.currency }];
  return { ...parse(disposal, request), currencies };
}

const positionAt = z.object({ id: field.id(), asOf: field.optionalInstant() });

export function decodeGetAssetPosition(request: GetAssetPositionRequest): GetAssetPosition {
  const { id, asOf } = parse(positionAt, request);
  if (!asOf) throw invalid([{ field: "as_of", message: "is required" }]);
  return { id, asOf };
}

export function decodeListAssets({ page, q = "", ...filter }: ListAssetsRequest): {
  filter: AssetListFilter;
  page: PageQuery;
} {
  const { categoryId, propertyId, locationId, statusId, custodianId, includeDeleted } = filter;
  const updatedSince = decodeInstant(filter.updatedSince);
  const query = pageRequest(page);
  return {
    filter: {
      ...{ categoryId, propertyId, locationId, statusId, custodianId, updatedSince, includeDeleted },
      prefixes: queryPrefixes(q),
    },
    page: { ...query, sort: sortOf(query.sort, updatedSince) },
  };
}
