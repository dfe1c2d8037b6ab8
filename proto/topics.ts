import type { DescMessage } from "@bufbuild/protobuf";
import { AlertEventSchema } from "./gen/assetregister/events/v1/alert_pb.js";
import { AssetEventSchema } from "./gen/assetregister/events/v1/asset_pb.js";
import { AuditEventSchema } from "./gen/assetregister/events/v1/audit_pb.js";
import { CheckoutEventSchema } from "./gen/assetregister/events/v1/checkout_pb.js";
import { ContractEventSchema } from "./gen/assetregister/events/v1/contract_pb.js";
import { DepreciationEventSchema } from "./gen/assetregister/events/v1/depreciation_pb.js";
import { DepreciationRunEventSchema } from "./gen/assetregister/events/v1/depreciation_run_pb.js";
import { MovementEventSchema } from "./gen/assetregister/events/v1/movement_pb.js";
import { OrganisationEventSchema } from "./gen/assetregister/events/v1/organisation_pb.js";
import { ReaderEventsSchema } from "./gen/assetregister/events/v1/reader_event_pb.js";
import { ReaderLivenessEventSchema } from "./gen/assetregister/events/v1/reader_liveness_pb.js";
import { ReaderChangeEventSchema } from "./gen/assetregister/events/v1/reader_pb.js";
import { SightingEventSchema } from "./gen/assetregister/events/v1/sighting_pb.js";
import { StocktakeEventSchema } from "./gen/assetregister/events/v1/stocktake_pb.js";
import { TagEventSchema } from "./gen/assetregister/events/v1/tag_pb.js";
import { WorkOrderEventSchema } from "./gen/assetregister/events/v1/work_order_pb.js";
import { WorkspaceEventSchema } from "./gen/assetregister/events/v1/workspace_pb.js";
import { ZoneEventSchema } from "./gen/assetregister/events/v1/zone_pb.js";

const DAY_MS = 86_400_000;

/** The newest value of each key is kept for ever. Consumers have 7 days to read older values. */
const compacted = { cleanup: "compact", minCompactionLagMs: 7 * DAY_MS } as const;
const retained = (days: number) => ({ cleanup: "delete", retentionMs: days * DAY_MS }) as const;

const topic = <S extends DescMessage, C>(name: string, schema: S, cleanUp: C) => ({
  name: `${name}.v1`,
  schema,
  ...cleanUp,
});

/**
 * All topics that the platform publishes. On the broker each name has a prefix, `asset-register.` by default. The
 * schema of the values is the contract: within `.v1` fields are only added.
 */
export const topics = {
  workspace: topic("workspace", WorkspaceEventSchema, compacted),
  organisation: topic("organisation", OrganisationEventSchema, compacted),
  zone: topic("zone", ZoneEventSchema, compacted),
  reader: topic("reader", ReaderChangeEventSchema, compacted),
  tag: topic("tag", TagEventSchema, compacted),
  asset: topic("asset", AssetEventSchema, compacted),
  contract: topic("contract", ContractEventSchema, compacted),
  depreciation: topic("depreciation", DepreciationEventSchema, compacted),
  movement: topic("movement", MovementEventSchema, retained(30)),
  checkout: topic("checkout", CheckoutEventSchema, retained(30)),
  sighting: topic("sighting", SightingEventSchema, retained(30)),
  alert: topic("alert", AlertEventSchema, retained(30)),
  stocktake: topic("stocktake", StocktakeEventSchema, retained(30)),
  workOrder: topic("work-order", WorkOrderEventSchema, retained(30)),
  depreciationRun: topic("depreciation-run", DepreciationRunEventSchema, retained(30)),
  audit: topic("audit", AuditEventSchema, retained(30)),
  // Not in the compacted topic of readers, which it would make grow without end.
  readerLiveness: topic("reader-liveness", ReaderLivenessEventSchema, retained(1)),
  // The broker's time of a record bounds the clocks of the processes that accept events.
  readerEvent: topic("reader-event", ReaderEventsSchema, { ...retained(7), timestamps: "append" } as const),
} as const;
