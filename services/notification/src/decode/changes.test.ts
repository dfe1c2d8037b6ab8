import { readFileSync } from "node:fs";
import type { Incoming, Topic } from "@asset-register/events";
import { ActorKind } from "@asset-register/proto/assetregister/common/v1/actor_pb";
import { Book } from "@asset-register/proto/assetregister/finance/v1/book_pb";
import { ContractStatus } from "@asset-register/proto/assetregister/maintenance/v1/contract_pb";
import { WorkOrderStatus } from "@asset-register/proto/assetregister/maintenance/v1/work_order_pb";
import { DisposalMethod, StatusClass } from "@asset-register/proto/assetregister/register/v1/asset_pb";
import { SessionStatus } from "@asset-register/proto/assetregister/stocktake/v1/session_pb";
import { Resolution, VarianceKind } from "@asset-register/proto/assetregister/stocktake/v1/variance_pb";
import { TagType } from "@asset-register/proto/assetregister/tagging_ingest/v1/tag_pb";
import { topics } from "@asset-register/proto/topics";
import { create, type DescMessage, type MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { expect, test } from "vitest";
import { type Message, messageBody, messageTypes } from "../domain/webhooks/message.ts";
import { readerMessage } from "../domain/webhooks/payload.ts";
import {
  decodeAssetChange,
  decodeContractChange,
  decodeDepreciationRunChange,
  decodeReaderChange,
  decodeStocktakeChange,
  decodeTagChange,
  decodeWorkOrderChange,
} from "./changes.ts";

const time = new Date("2026-03-01T09:30:00Z");
const euros = { minorUnits: 123_456n, currency: "EUR" };
const ada = { kind: ActorKind.USER, id: "usr_01k8f6xq7ve3c5f7h9k1m3p5r7" };
const assetId = "ast_01k8f70a4bfhkv5wq2t4r7z1xe";

function event<S extends DescMessage>(
  topic: Topic<S>,
  message: MessageInitShape<S> | undefined,
  type = "changed",
): Incoming<S> {
  return {
    ...{
      id: "evt_1",
      type,
      workspaceId: "wsp_01k8f6z0qye0cbmvx3rb8hqj6a",
      subject: "s",
      epoch: 0,
      sequence: 7,
    },
    ...{ time, publishedAt: time, topic: topic.name, partition: 0, offset: "1" },
    message: message && create(topic.schema, message),
  };
}

const asset = (change: MessageInitShape<typeof topics.asset.schema>["change"], type?: string): Message[] => {
  const disposed = {
    ...{ date: "2026-02-28", method: DisposalMethod.SOLD, proceeds: euros, note: "to a dealer" },
  };
  const state = {
    id: assetId,
    number: "AST-000012",
    statusId: "sta_01k8f6yb3c5f7h9k1m3p5r7t9v",
    cost: euros,
    disposed,
  };
  const status = { statusKey: "in_repair", statusClass: StatusClass.UNDEPLOYABLE };
  return decodeAssetChange(event(topics.asset, { state, ...status, change }, type));
};
const updated = (...fields: string[]) => asset({ case: "updated", value: { fields } });

const tag = (change: MessageInitShape<typeof topics.tag.schema>["change"]) => {
  const state = {
    id: "tag_01k8f70h5dg8j0m2p4r6t8v1x3",
    type: TagType.RFID,
    epc: "303435FC8803D056D15B963F",
    assetId,
  };
  return decodeTagChange(event(topics.tag, { state, actor: ada, change }));
};

const stocktake = (
  status: SessionStatus,
  change: MessageInitShape<typeof topics.stocktake.schema>["change"],
): Message[] => {
  const state = { id: "sts_01k8f77a2b4d6f8h0k2m4p6r8t", name: "Spring", status };
  return decodeStocktakeChange(event(topics.stocktake, { state, change }));
};

const order = (change: MessageInitShape<typeof topics.workOrder.schema>["change"]): Message[] => {
  const state = {
    ...{
      id: "wo_01k8f78c3d5f7h9k1m3p5r7t9v",
      assetId,
      status: WorkOrderStatus.IN_PROGRESS,
      assignedTo: ada.id,
    },
    ...{ dueAt: timestampFromDate(new Date("2026-03-05T16:00:00Z")), totalCost: euros },
  };
  return decodeWorkOrderChange(event(topics.workOrder, { state, change }));
};

const contract = (change: MessageInitShape<typeof topics.contract.schema>["change"]): Message[] => {
  const state = { id: "ctr_01k8f79d4e6g8j0m2p4r6t8v1x", assetId, cost: euros };
  return decodeContractChange(event(topics.contract, { state, change }));
};

const month = (number: number) => ({ year: 2026, month: number });
const run = { runId: "run_01k8f7ae5f7h9k1m3p5r7t9v2x", book: Book.TAX, lines: 480, skipped: 3, by: ada };

const examples: Message[] = [
  ...asset({ case: "created", value: {} }),
  ...updated("name", "cost"),
  ...updated("status_id", "location_id"),
  ...asset({ case: "disposed", value: {} }),
  ...asset({ case: "deleted", value: {} }),
  ...tag({ case: "commissioned", value: {} }),
  ...tag({ case: "decommissioned", value: { assetId } }),
  ...stocktake(SessionStatus.OPEN, { case: "opened", value: {} }),
  ...stocktake(SessionStatus.RECONCILED, { case: "reconciled", value: {} }),
  ...stocktake(SessionStatus.RECONCILED, {
    case: "varianceResolved",
    value: {
      ...{ varianceId: "var_01k8f77k5m7p9r1t3v5x7z9b2d", assetId, kind: VarianceKind.MISSING },
      resolution: Resolution.WRITTEN_OFF,
    },
  }),
  ...stocktake(SessionStatus.CLOSED, { case: "closed", value: {} }),
  ...stocktake(SessionStatus.CANCELLED, { case: "cancelled", value: {} }),
  ...order({ case: "created", value: {} }),
  ...order({ case: "updated", value: { fields: ["assigned_to"] } }),
  ...order({ case: "statusChanged", value: { before: WorkOrderStatus.OPEN, note: "begun" } }),
  ...contract({ case: "created", value: { status: ContractStatus.UPCOMING } }),
  ...contract({ case: "updated", value: { fields: ["ends_on"], status: ContractStatus.ACTIVE } }),
  ...contract({ case: "cancelled", value: {} }),
  ...decodeDepreciationRunChange(
    event(topics.depreciationRun, {
      change: { case: "posted", value: { ...run, from: month(1), to: month(2) } },
    }),
  ),
  ...decodeReaderChange(
    event(topics.reader, {
      state: { id: "rdr_01k8f6zr6hfab3d5f7h9k1m3p5", zoneId: "zon_01k8f6zn1cf5g7j9m1p3r5t7v9" },
      change: { case: "revoked", value: {} },
    }),
  ),
];

const portal = {
  ...{ id: "rdr_01k8f6zr6hfab3d5f7h9k1m3p5", zoneId: "zon_01k8f6zn1cf5g7j9m1p3r5t7v9" },
  ...{ workspaceId: "wsp_01k8f6z0qye0cbmvx3rb8hqj6a", lastSeenAt: new Date("2026-03-01T09:29:58Z") },
};
examples.push(
  readerMessage("reader.online", portal, time),
  readerMessage("reader.offline", portal, new Date("2026-03-01T09:36:30Z")),
);

/** Examples of these are in docs/webhooks.md. */
const documentedThere = /^(asset\.moved|checkout|alert)/;

test("each type has an example, and docs/event-types.md has it as it is sent", () => {
  const types = examples.map(({ type }) => type);
  expect(types.toSorted()).toEqual(messageTypes.filter((type) => !documentedThere.test(type)).toSorted());
  const page = readFileSync(new URL("../../docs/event-types.md", import.meta.url), "utf8");
  const documented = [...page.matchAll(/```json\n(.*?)```/gs)].map(([, text = ""]) => JSON.parse(text));
  expect(documented).toEqual(examples.map((one) => JSON.parse(messageBody(one))));
});

test("no message has an amount", () => {
  for (const one of examples) expect(messageBody(one)).not.toMatch(/1234|minor|EUR/);
});

test("an update that only a movement or a checkout has made gives no message", () => {
  expect(updated("location_id", "building_id", "custodian_id")).toEqual([]);
  expect(updated("current_checkout", "custodian_id")).toEqual([]);
  expect(updated("location_id", "name")).toMatchObject([{ type: "asset.updated" }]);
});

test("a republished state, a tombstone and a change of a newer release give no message", () => {
  expect(asset({ case: "updated", value: { fields: ["name"] } }, "asset.republished")).toEqual([]);
  expect(decodeAssetChange(event(topics.asset, undefined))).toEqual([]);
  expect(asset({ case: undefined })).toEqual([]);
  expect(tag({ case: undefined })).toEqual([]);
  expect(stocktake(SessionStatus.OPEN, { case: undefined })).toEqual([]);
  expect(order({ case: undefined })).toEqual([]);
  expect(contract({ case: undefined })).toEqual([]);
});
