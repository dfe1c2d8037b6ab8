import { LeftReason } from "@asset-register/proto/assetregister/events/v1/sighting_pb";
import {
  AlertChannel,
  type AlertRuleSchema,
  AlertScope,
} from "@asset-register/proto/assetregister/notification/v1/alert_pb";
import type { ReaderHealthReason } from "@asset-register/proto/assetregister/tagging_ingest/v1/reader_pb";
import { newId } from "@asset-register/runtime";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import type { Sighting } from "../src/domain/alerts/sighting.ts";
import { type Read, sightingEvent } from "./events.ts";
import type { RunningNotification, Workspace } from "./support.ts";

export type RuleFields = MessageInitShape<typeof AlertRuleSchema>;

/** Conditions of rules. */
export const seenIn = (zoneId: string) => ({ condition: { case: "seenInZone", value: { zoneId } } }) as const;
export const leaves = (zoneId: string) => ({ condition: { case: "leftZone", value: { zoneId } } }) as const;
export const exitsBy = (zoneId: string) =>
  ({ condition: { case: "exitPortalUnauthorised", value: { zoneId } } }) as const;
export const hasStatus = (...statusIds: string[]) =>
  ({ condition: { case: "statusMismatch", value: { statusIds } } }) as const;
export const silentFor = (hours: number) =>
  ({ condition: { case: "notSeenFor", value: { hours } } }) as const;
export const offlineFor = (minutes: number) =>
  ({ condition: { case: "readerOffline", value: { minutes } } }) as const;
export const degradedFor = (minutes: number, ...reasons: ReaderHealthReason[]) =>
  ({ condition: { case: "readerDegraded", value: { minutes, reasons } } }) satisfies RuleFields["condition"];
export const tagCloned = { condition: { case: "tagCloned", value: {} } } as const;
export const unknownTag = { condition: { case: "unknownTag", value: {} } } as const;

/** Changes of sightings. */
export const seen = { case: "seen", value: {} } as const;
/** A read that moves nothing. */
export const unconfirmed = { case: "seen", value: { unconfirmed: true } } as const;
export const arrived = { case: "arrived", value: {} } as const;
export const left = (fromZoneId: string) => ({ case: "left", value: { fromZoneId } }) as const;
/** A read at the property "b", so shortly after one at "a" that the tag is cloned. */
export function cloned(at = new Date(), apartMs = 2_000) {
  const read = (name: string, ms: number) => ({
    ...{ readerId: `rdr_${name}`, zoneId: `zon_${name}`, locationId: `loc_${name}` },
    ...{ propertyId: `prp_${name}`, at: timestampFromMs(ms), rssi: -50.5, eventId: `evt_${name}` },
  });
  const reads = [read("a", at.getTime() - apartMs), read("b", at.getTime())];
  return { case: "cloned", value: { clone: { reads, travelSeconds: 300 } } } as const;
}
/** The readers of the zone were revoked. */
export const readerGone = (fromZoneId: string) =>
  ({ case: "left", value: { fromZoneId, reason: LeftReason.READER_GONE } }) as const;

/** Creates a rule; by default for all tags, with notices in the app. */
export async function makeRule(
  { alerts }: Pick<RunningNotification, "alerts">,
  { asPerson }: Workspace,
  fields: RuleFields,
) {
  const rule = { name: "Gate", scopeType: AlertScope.ALL, channel: AlertChannel.INAPP, ...fields };
  const { alertRule, secret = "" } = await alerts.createAlertRule({ alertRule: rule }, asPerson);
  return { id: alertRule?.id ?? "", rule: alertRule, secret };
}

export const alertsOf = async (
  { alerts }: Pick<RunningNotification, "alerts">,
  { asPerson }: Pick<Workspace, "asPerson">,
) => (await alerts.listAlerts({}, asPerson)).alerts;

type Sighted = Pick<Read, "change"> & Partial<Read>;

/** A new asset of the workspace, whose sightings are numbered from 1. */
export function taggedAsset({ publish }: Pick<RunningNotification, "publish">, { workspaceId }: Workspace) {
  const assetId = newId("ast");
  let sequence = 0;
  const read = (part: Sighted) => {
    sequence += 1;
    return sightingEvent({ workspaceId, assetId, sequence, ...part });
  };
  return { assetId, read, see: (part: Sighted) => publish(read(part)) };
}

/** A clock that a test moves forward. */
export function movableClock() {
  let ahead = 0;
  return {
    now: () => new Date(Date.now() + ahead),
    forward(ms: number): void {
      ahead += ms;
    },
  };
}

/** Sightings of `count` assets in a zone, each of another asset. */
export const sightingsIn = (zoneId: string, count: number): Sighting[] =>
  Array.from({ length: count }, () => {
    const at = new Date();
    return {
      ...{ id: newId("msg"), kind: "seen", epc: "E1", assetId: newId("ast"), zoneId },
      ...{ at, receivedAt: at, order: { epoch: 0, sequence: 1 } },
    };
  });
