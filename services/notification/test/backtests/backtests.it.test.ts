import { eventually } from "@asset-register/harness";
import { AlertScope } from "@asset-register/proto/assetregister/notification/v1/alert_pb";
import {
  BacktestStatus,
  SightingKind,
} from "@asset-register/proto/assetregister/notification/v1/backtest_pb";
import { SightingChange } from "@asset-register/proto/assetregister/tagging_ingest/v1/sighting_pb";
import { newId } from "@asset-register/runtime";
import { codeOf, failure, workspaceEvent } from "@asset-register/service-harness";
import { timestampFromMs, timestampMs } from "@bufbuild/protobuf/wkt";
import { afterEach, expect, test } from "vitest";
import { exitsBy, leaves, offlineFor, seenIn, silentFor, tagCloned, unknownTag } from "../alerting.ts";
import { assetEvent, zoneEvent } from "../events.ts";
import { newWorkspace, sharedNotification } from "../support.ts";

const service = await sharedNotification();
afterEach(() => {
  service.owners.register.answers = true;
});

const MINUTE = 60_000;
/** The time that is judged: 10 h that end an hour ago. */
const to = Math.floor(Date.now() / 1000) * 1000 - 60 * MINUTE;
const from = to - 600 * MINUTE;

type Stored = {
  minute: number;
  assetId?: string;
  epc?: string;
  zoneId?: string;
  change?: SightingChange;
  fromZoneId?: string;
};

/** A workspace with a zone, and what tagging-ingest has stored of it. */
async function sighted() {
  const { workspaceId, asPerson } = newWorkspace();
  const zoneId = service.owners.zones.add(workspaceId, newId("zon"));
  await service.publish(workspaceEvent(workspaceId, 1));
  await service.publish(zoneEvent(workspaceId, zoneId, ["loc_gate"]));
  await eventually(async () => {
    expect(await service.stores.zones.has(workspaceId, zoneId)).toBe(true);
    expect(await service.stores.workspaces.get(workspaceId)).toBeDefined();
  });
  return {
    ...{ workspaceId, asPerson, zoneId },
    store(...sightings: Stored[]) {
      service.owners.sightings.set(
        workspaceId,
        sightings.map(({ minute, assetId, change = SightingChange.SEEN, epc = "E1", ...place }, sequence) => {
          const at = timestampFromMs(from + minute * MINUTE);
          const sighting = {
            ...place,
            epc,
            sequence,
            change,
            at,
            receivedAt: at,
            readerId: "rdr_1",
            eventId: `evt_${sequence}`,
          };
          return { assetId, sighting };
        }),
      );
    },
    async run(rule: object, span: object = { from: timestampFromMs(from), to: timestampFromMs(to) }) {
      const { backtest } = await service.backtests.createBacktest(
        { rule: { scopeType: AlertScope.ALL, cooldownSeconds: 0, ...rule }, ...span },
        asPerson,
      );
      return eventually(async () => {
        const { backtest: read } = await service.backtests.getBacktest({ id: backtest!.id }, asPerson);
        if (read!.status === BacktestStatus.RUNNING) throw new Error("still running");
        return read!;
      });
    },
  };
}

const minutesOf = (alerts: { at?: Parameters<typeof timestampMs>[0] | undefined }[]) =>
  alerts.map(({ at }) => (timestampMs(at!) - from) / MINUTE);

test("clones are found among stored sightings, also of a tag without an asset, which is no unknown tag then", async () => {
  const { store, run } = await sighted();
  store(
    { minute: 0, assetId: "ast_1", change: SightingChange.CLONED },
    { minute: 1, assetId: "ast_1" },
    { minute: 2, epc: "E2", change: SightingChange.CLONED },
  );
  const found = await run({ condition: tagCloned });
  expect(found.firstAlerts).toMatchObject([
    { subject: "ast_1", kind: SightingKind.CLONED, readerId: "rdr_1" },
    { subject: "epc:E2", kind: SightingKind.CLONED },
  ]);
  expect((await run({ condition: unknownTag })).alerts).toBe(0);
});

test("a backtest over several pages says when the rule would have rung, for whom, and what the cooldown spares", async () => {
  const { workspaceId, zoneId, store, run } = await sighted();
  const [cart, drill] = ["ast_cart", "ast_drill"];
  store(
    ...[0, 1, 2, 10, 11, 20].map((minute) => ({ minute, assetId: cart, zoneId })),
    { minute: 5, assetId: drill, zoneId },
    { minute: 6, assetId: drill, zoneId: "zon_other" },
  );
  const found = await run({ condition: seenIn(zoneId), cooldownSeconds: 300 });
  expect(found).toMatchObject({
    ...{ status: BacktestStatus.DONE, sightings: 8n, alerts: 4, sparedByCooldown: 3, asOfToday: [] },
    subjects: [
      { subject: cart, assetId: cart, alerts: 3 },
      { subject: drill, alerts: 1 },
    ],
  });
  expect(found.progress?.done).toBe(found.progress?.total);
  expect(minutesOf(found.firstAlerts)).toEqual([0, 10, 20, 5]);
  expect(found.firstAlerts[1]).toMatchObject({
    kind: SightingKind.SEEN,
    eventId: "evt_3",
    zoneId,
    readerId: "rdr_1",
  });
  expect(found.days.reduce((sum, { alerts }) => sum + alerts, 0)).toBe(4);
  // Nothing else was written.
  for (const collection of ["alerts", "deliveries", "notices", "waiting_sightings"]) {
    expect(await service.mongo.collection(collection).countDocuments({ workspaceId })).toBe(0);
  }
});

test("a condition that ends by itself rings once until it has ended", async () => {
  const { zoneId, store, run } = await sighted();
  const left = { change: SightingChange.LEFT, fromZoneId: zoneId, assetId: "ast_1" };
  store(
    { minute: 0, ...left },
    { minute: 1, ...left },
    { minute: 2, assetId: "ast_1", zoneId, change: SightingChange.ARRIVED },
    { minute: 3, ...left },
  );
  expect(minutesOf((await run({ condition: leaves(zoneId) })).firstAlerts)).toEqual([0, 3]);
});

test("silence rings when it was long enough, also at the end; not for what is disposed of or outside of the scope", async () => {
  const { workspaceId, zoneId, store, run } = await sighted();
  // Ids of projected records are unique across workspaces, and other files share this service.
  const [assetId, goneId] = [newId("ast"), newId("ast")];
  await service.publish(
    assetEvent(workspaceId, { id: goneId, disposed: { at: timestampFromMs(to) } }),
    assetEvent(workspaceId, { id: assetId }),
  );
  await eventually(async () => {
    const known = await service.stores.assets.getMany(workspaceId, [goneId, assetId]);
    expect(known.size).toBe(2);
  });
  store(
    { minute: -100, assetId, zoneId },
    { minute: 200, assetId, zoneId },
    { minute: 500, assetId, zoneId },
    { minute: 0, assetId: goneId, zoneId },
    { minute: 0, assetId: "ast_elsewhere", zoneId: "zon_other" },
  );
  const scope = { scopeType: AlertScope.ZONE, scopeId: zoneId };
  const { firstAlerts, subjects } = await run({ condition: silentFor(2), ...scope });
  // After 2 h and 70 s of silence.
  expect(minutesOf(firstAlerts).map(Math.floor)).toEqual([21, 321]);
  expect(subjects).toMatchObject([{ subject: assetId, alerts: 2 }]);
});

test("an exit is judged by the movements and check-outs of its time", async () => {
  const { workspaceId, zoneId, store, run } = await sighted();
  const at = (minute: number) => timestampFromMs(from + minute * MINUTE);
  const { positions } = service.owners;
  positions.set(`${workspaceId}:ast_out`, { checkouts: [{ issuedAt: at(0), returnedAt: at(20) }] });
  positions.set(`${workspaceId}:ast_bare`, {});
  const arrive = { zoneId, change: SightingChange.ARRIVED };
  store(
    { minute: 10, assetId: "ast_bare", ...arrive },
    { minute: 10, assetId: "ast_out", ...arrive },
    { minute: 30, assetId: "ast_out", ...arrive },
  );
  const { firstAlerts, asOfToday } = await run({ condition: exitsBy(zoneId) });
  expect(firstAlerts.map(({ subject }) => subject)).toEqual(["ast_bare", "ast_out"]);
  expect(minutesOf(firstAlerts)).toEqual([10, 30]);
  expect(asOfToday).toEqual(["zones"]);
});

test("an asset is in the scope of a place if it was there then", async () => {
  const { workspaceId, zoneId, store, run } = await sighted();
  service.owners.locations.add(workspaceId, "loc_a");
  const at = timestampFromMs(from + 15 * MINUTE);
  service.owners.positions.set(`${workspaceId}:ast_1`, {
    movements: [{ at, fromLocationId: "loc_a", toLocationId: "loc_b", reason: "movement" }],
  });
  store({ minute: 10, assetId: "ast_1", zoneId }, { minute: 20, assetId: "ast_1", zoneId });
  const scope = { scopeType: AlertScope.LOCATION, scopeId: "loc_a" };
  expect(minutesOf((await run({ condition: seenIn(zoneId), ...scope })).firstAlerts)).toEqual([10]);
});

test("an unknown tag is a subject of its own", async () => {
  const { store, run } = await sighted();
  store({ minute: 1, epc: "AA" }, { minute: 2, epc: "BB" });
  const { subjects } = await run({ condition: unknownTag });
  expect(subjects.map(({ subject }) => subject).sort()).toEqual(["epc:AA", "epc:BB"]);
});

test("a workspace runs one backtest at a time, also of two at the same moment; one waits while the register is unavailable", async () => {
  const { workspaceId, asPerson, zoneId, store, run } = await sighted();
  service.owners.positions.set(`${workspaceId}:ast_1`, {});
  store({ minute: 10, assetId: "ast_1", zoneId, change: SightingChange.ARRIVED });
  service.owners.register.answers = false;
  const rule = { scopeType: AlertScope.ALL, condition: exitsBy(zoneId) };
  const both = await Promise.allSettled(
    [1, 2].map(() => service.backtests.createBacktest({ rule }, asPerson)),
  );
  expect(both.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  expect(await codeOf(service.backtests.createBacktest({ rule }, asPerson))).toBe("BACKTEST_RUNNING");
  const running = both.flatMap((one) => (one.status === "fulfilled" ? [one.value.backtest!] : []))[0]!;
  expect(running.status).toBe(BacktestStatus.RUNNING);
  service.owners.register.answers = true;
  await eventually(async () => {
    const { backtest } = await service.backtests.getBacktest({ id: running.id }, asPerson);
    expect(backtest).toMatchObject({ status: BacktestStatus.DONE, alerts: 1 });
  });
  expect((await run({ condition: exitsBy(zoneId) })).alerts).toBe(1);
});

test("a backtest whose references can't be checked is refused as unavailable, with the time to retry", async () => {
  const { asPerson, zoneId } = await sighted();
  service.owners.register.answers = false;
  const rule = { scopeType: AlertScope.ASSET, scopeId: "ast_1", condition: seenIn(zoneId) };
  const refused = await failure(service.backtests.createBacktest({ rule }, asPerson));
  expect(refused).toMatchObject({ code: "UNAVAILABLE", retryAfterMs: 1000 });
});

test("what can't be tested is refused with its field; a backtest of another workspace is not found", async () => {
  const { asPerson, zoneId, store, run } = await sighted();
  store();
  const create = (rule: object, span: object = {}) =>
    failure(
      service.backtests.createBacktest({ rule: { scopeType: AlertScope.ALL, ...rule }, ...span }, asPerson),
    );
  const fieldsOf = async (...given: Parameters<typeof create>) =>
    (await create(...given))?.violations.map(({ field }) => field);
  expect(await fieldsOf({ condition: offlineFor(5) })).toEqual(["rule.condition.type"]);
  expect(await fieldsOf({ condition: seenIn("zon_unknown") })).toEqual(["rule.condition.zone_id"]);
  expect(await fieldsOf({ condition: unknownTag, scopeType: AlertScope.ASSET, scopeId: "ast_1" })).toEqual([
    "rule.scope_type",
  ]);
  expect(await fieldsOf({ condition: unknownTag, scopeId: "zon_1" })).toEqual(["rule.scope_id"]);
  const future = { to: timestampFromMs(Date.now() + MINUTE) };
  expect(await fieldsOf({ condition: unknownTag }, future)).toEqual(["to"]);
  const { id } = await run({ condition: seenIn(zoneId) });
  expect(await failure(service.backtests.getBacktest({ id }, newWorkspace().asPerson))).toMatchObject({
    kind: "not_found",
  });
});
