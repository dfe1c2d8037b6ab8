import { type Incoming, isRepublished } from "@asset-register/events";
import type { AssetEventSchema } from "@asset-register/proto/assetregister/events/v1/asset_pb";
import type { ContractEventSchema } from "@asset-register/proto/assetregister/events/v1/contract_pb";
import type { DepreciationRunEventSchema } from "@asset-register/proto/assetregister/events/v1/depreciation_run_pb";
import type { ReaderChangeEventSchema } from "@asset-register/proto/assetregister/events/v1/reader_pb";
import type { StocktakeEventSchema } from "@asset-register/proto/assetregister/events/v1/stocktake_pb";
import type { TagEventSchema } from "@asset-register/proto/assetregister/events/v1/tag_pb";
import type { WorkOrderEventSchema } from "@asset-register/proto/assetregister/events/v1/work_order_pb";
import { Book } from "@asset-register/proto/assetregister/finance/v1/book_pb";
import { ContractStatus } from "@asset-register/proto/assetregister/maintenance/v1/contract_pb";
import { WorkOrderStatus } from "@asset-register/proto/assetregister/maintenance/v1/work_order_pb";
import { DisposalMethod, StatusClass } from "@asset-register/proto/assetregister/register/v1/asset_pb";
import { SessionStatus } from "@asset-register/proto/assetregister/stocktake/v1/session_pb";
import { Resolution, VarianceKind } from "@asset-register/proto/assetregister/stocktake/v1/variance_pb";
import { TagType } from "@asset-register/proto/assetregister/tagging_ingest/v1/tag_pb";
import { decodeActor, decodeInstant, enumNames } from "@asset-register/rpc";
import type { DescMessage } from "@bufbuild/protobuf";
import type { Message } from "../domain/webhooks/message.ts";
import { message } from "../domain/webhooks/payload.ts";

// Messages about changes of records, with ids and names only: a webhook has no capabilities, so no amount is in it. A tombstone,
// a state that is republished and a change that only a newer release knows give no message.

/** A name of an enum's value, or null for one that only a newer release knows. */
const nameIn =
  (values: Parameters<typeof enumNames>[0]) =>
  (value: number): string | null =>
    enumNames(values).decode(value) ?? null;

const statusClass = nameIn(StatusClass);
const disposalMethod = nameIn(DisposalMethod);
const tagType = nameIn(TagType);
const sessionStatus = nameIn(SessionStatus);
const varianceKind = nameIn(VarianceKind);
const resolution = nameIn(Resolution);
const workOrderStatus = nameIn(WorkOrderStatus);
const contractStatus = nameIn(ContractStatus);
const book = nameIn(Book);

/** The message of an event that is news, if it has one. */
const changesOf =
  <S extends DescMessage>(read: (event: Incoming<S>) => Message | undefined) =>
  (event: Incoming<S>): Message[] =>
    isRepublished(event) ? [] : [read(event) ?? []].flat();

/** A movement or a checkout reports these. */
const REPORTED_ELSEWHERE = new Set([
  ...["location_id", "property_id", "building_id", "floor_id", "custodian_id", "current_checkout"],
]);

export const decodeAssetChange = changesOf<typeof AssetEventSchema>((event) => {
  const { state, change, statusKey, statusClass: ofStatus } = event.message ?? {};
  if (state === undefined) return undefined;
  const asset = { asset_id: state.id, number: state.number };
  switch (change?.case) {
    case "created":
    case "deleted":
      return message(event, `asset.${change.case}`, asset);
    case "disposed": {
      const { date = null, method = 0 } = state.disposed ?? {};
      return message(event, "asset.disposed", { ...asset, date, method: disposalMethod(method) });
    }
    case "updated": {
      const { fields } = change.value;
      if (fields.every((field) => REPORTED_ELSEWHERE.has(field))) return undefined;
      if (!fields.includes("status_id")) return message(event, "asset.updated", { ...asset, fields });
      const status = {
        status_id: state.statusId,
        status_key: statusKey,
        status_class: statusClass(ofStatus ?? 0),
      };
      return message(event, "asset.status_changed", { ...asset, fields, ...status });
    }
    default:
      return undefined;
  }
});

export const decodeTagChange = changesOf<typeof TagEventSchema>((event) => {
  const { state, change, actor } = event.message ?? {};
  if (state === undefined || change?.case === undefined) return undefined;
  const { id, type, epc, code } = state;
  // A freed tag names the asset that it was on.
  const assetId = change.case === "decommissioned" ? change.value.assetId : state.assetId;
  return message(event, `tag.${change.case}`, {
    ...{ tag_id: id, type: tagType(type), asset_id: assetId ?? null },
    ...(epc === undefined ? { code: code ?? null } : { epc }),
    ...(actor && { by: decodeActor(actor) }),
  });
});

export const decodeStocktakeChange = changesOf<typeof StocktakeEventSchema>((event) => {
  const { state, change } = event.message ?? {};
  if (state === undefined || change?.case === undefined) return undefined;
  const session = { session_id: state.id, status: sessionStatus(state.status) };
  if (change.case !== "varianceResolved") return message(event, `stocktake.${change.case}`, session);
  const { varianceId, assetId = null, kind, resolution: decided } = change.value;
  return message(event, "stocktake.variance_resolved", {
    ...{ ...session, variance_id: varianceId, asset_id: assetId },
    ...{ kind: varianceKind(kind), resolution: resolution(decided) },
  });
});

export const decodeWorkOrderChange = changesOf<typeof WorkOrderEventSchema>((event) => {
  const { state, change } = event.message ?? {};
  if (state === undefined || change?.case === undefined) return undefined;
  const order = {
    ...{ work_order_id: state.id, asset_id: state.assetId, status: workOrderStatus(state.status) },
    assigned_to: state.assignedTo ?? null,
    due_at: decodeInstant(state.dueAt)?.toISOString() ?? null,
  };
  switch (change.case) {
    case "created":
      return message(event, "work_order.created", order);
    case "updated":
      return message(event, "work_order.updated", { ...order, fields: change.value.fields });
    case "statusChanged":
      return message(event, "work_order.status_changed", {
        ...{ ...order, before: workOrderStatus(change.value.before) },
      });
  }
});

export const decodeContractChange = changesOf<typeof ContractEventSchema>((event) => {
  const { state, change } = event.message ?? {};
  if (state === undefined || change?.case === undefined) return undefined;
  const contract = { contract_id: state.id, asset_id: state.assetId };
  if (change.case === "cancelled")
    return message(event, "contract.cancelled", { ...contract, status: "cancelled" });
  const status = contractStatus(change.value.status);
  if (change.case === "created") return message(event, "contract.created", { ...contract, status });
  return message(event, "contract.updated", { ...contract, status, fields: change.value.fields });
});

export const decodeDepreciationRunChange = changesOf<typeof DepreciationRunEventSchema>((event) => {
  const change = event.message?.change;
  if (change?.case !== "posted") return undefined;
  const { runId, book: ofBook, from, to, lines, skipped, by } = change.value;
  const month = (period: typeof to) => period && { year: period.year, month: period.month };
  return message(event, "depreciation_run.posted", {
    ...{ run_id: runId, book: book(ofBook), from: month(from), to: month(to), lines, skipped },
    ...(by && { by: decodeActor(by) }),
  });
});

export const decodeReaderChange = changesOf<typeof ReaderChangeEventSchema>((event) => {
  const { state, change } = event.message ?? {};
  if (state === undefined || change?.case !== "revoked") return undefined;
  return message(event, "reader.revoked", { reader_id: state.id, zone_id: state.zoneId ?? null });
});
