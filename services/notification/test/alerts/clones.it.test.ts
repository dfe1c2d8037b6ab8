import { eventually } from "@asset-register/harness";
import { AlertChannel, AlertScope } from "@asset-register/proto/assetregister/notification/v1/alert_pb";
import { afterEach, expect, test } from "vitest";
import { alertsOf, cloned, makeRule, seen, tagCloned, taggedAsset } from "../alerting.ts";
import { sightingEvent } from "../events.ts";
import { startReceiver } from "../receiver.ts";
import { newWorkspace, sharedNotification } from "../support.ts";

const service = await sharedNotification();
afterEach(() => {
  service.owners.register.answers = true;
});

const evidence = (alert: Awaited<ReturnType<typeof alertsOf>>[number] | undefined) =>
  alert?.clone?.reads.map(({ readerId, zoneId, locationId, propertyId, rssi, eventId }) => ({
    ...{ readerId, zoneId, locationId, propertyId, rssi, eventId },
  }));
const read = (name: string) => ({
  ...{ readerId: `rdr_${name}`, zoneId: `zon_${name}`, locationId: `loc_${name}`, propertyId: `prp_${name}` },
  ...{ rssi: -50.5, eventId: `evt_${name}` },
});
const both = [read("a"), read("b")];

test("a cloned tag raises an alert about its asset, with both reads in the alert, its event and its webhook message", async () => {
  const workspace = newWorkspace();
  const receiver = await startReceiver();
  const webhook = { channel: AlertChannel.WEBHOOK, channelTarget: receiver.url };
  await makeRule(service, workspace, { condition: tagCloned, ...webhook });
  const tag = taggedAsset(service, workspace);
  await tag.see({ change: seen });
  await tag.see({ change: cloned(), zoneId: "zon_b" });
  const [alert] = await eventually(async () => {
    const alerts = await alertsOf(service, workspace);
    expect(alerts).toMatchObject([{ subject: tag.assetId, assetId: tag.assetId, zoneId: "zon_b", count: 1 }]);
    return alerts;
  });
  expect(evidence(alert)).toEqual(both);
  expect(alert?.clone?.travelSeconds).toBe(300);
  const { clone } = alert ?? {};
  await eventually(() => {
    const [raised] = service.recorded.alert.of(alert?.id ?? "");
    expect(raised?.message?.state?.clone).toEqual(clone);
    expect(receiver.received).toHaveLength(1);
  });
  const sent = { reader_id: "rdr_a", zone_id: "zon_a", location_id: "loc_a", property_id: "prp_a" };
  expect(receiver.received[0]?.body.data).toMatchObject({
    clone: { reads: [sent, { reader_id: "rdr_b", event_id: "evt_b" }], travel_seconds: 300 },
  });
  // A further one raises the count only: the evidence stays. A read at one property changes nothing.
  await tag.see({ change: cloned(new Date(), 9_000), zoneId: "zon_b" });
  await tag.see({ change: seen });
  await eventually(async () =>
    expect(await alertsOf(service, workspace)).toMatchObject([{ count: 2, clone }]),
  );
  await receiver.stop();
});

test("a clone of a tag without an asset is an alert about its code", async () => {
  const workspace = newWorkspace();
  await makeRule(service, workspace, { condition: tagCloned });
  const { workspaceId } = workspace;
  await service.publish(sightingEvent({ workspaceId, epc: "E280AA", sequence: 1, change: cloned() }));
  await eventually(async () => {
    const alerts = await alertsOf(service, workspace);
    expect(alerts).toMatchObject([{ subject: "epc:E280AA" }]);
    expect(evidence(alerts[0])).toEqual(both);
  });
});

test("a clone that waits for the register keeps its evidence", async () => {
  const workspace = newWorkspace();
  const scopeId = service.owners.locations.add(workspace.workspaceId, "loc_1");
  await makeRule(service, workspace, { condition: tagCloned, scopeType: AlertScope.LOCATION, scopeId });
  const tag = taggedAsset(service, workspace);
  service.owners.assets.set(`${workspace.workspaceId}:${tag.assetId}`, { locationId: "loc_1" });
  service.owners.register.answers = false;
  await tag.see({ change: cloned(), zoneId: "zon_b" });
  const waiting = service.mongo.collection("waiting_sightings");
  await eventually(async () =>
    expect(await waiting.countDocuments({ workspaceId: workspace.workspaceId })).toBe(1),
  );
  service.owners.register.answers = true;
  await eventually(async () => {
    const alerts = await alertsOf(service, workspace);
    expect(alerts).toHaveLength(1);
    expect(evidence(alerts[0])).toEqual(both);
  });
});
