import { randomBytes } from "node:crypto";
import { eventually, testServers } from "@asset-register/harness";
import mongoose from "mongoose";
import { expect, test } from "vitest";
import { type Listed, openAlertWorld, soon, twice } from "./alert-world.ts";
import { joinPlatform } from "./platform.ts";

// Each type of rule, with signed reads through the whole platform.

const UNKNOWN_TAGS = 60;
const MINUTE = 60_000;
const ago = (ms: number) => new Date(Date.now() - ms);

const { demo, platform } = await joinPlatform();
const world = await openAlertWorld(demo);
const [gate, store] = [await world.newZone("Gate"), await world.newZone("Store")];
const unknownRule = await world.makeRule("Unknown", { type: "unknown_tag" });
// The digest of the last test comes when their minute is over.
const unknownTags = Array.from({ length: UNKNOWN_TAGS }, () => randomBytes(12).toString("hex").toUpperCase());
await gate.post(...unknownTags.map((epc) => ({ epc, ts: new Date() })));
// A single read at a door, whose alert comes when the tag is not read elsewhere for 30 s.
const [inside, door] = [await world.newZone("Inside"), await world.newZone("Door")];
const doorRule = await world.makeRule("Door", { type: "exit_portal_unauthorised", zone_id: door.zoneId });
const taken = await world.newAsset();
await inside.post(...twice(taken.epc, ago(10_000)));
await door.post({ epc: taken.epc, ts: ago(5_000) });

test("seen_in_zone: reads at once through two portals raise one alert, nothing during the cooldown, and none for a week-old upload", async () => {
  const { zoneId } = gate;
  const rule = await world.makeRule("Seen", { type: "seen_in_zone", zone_id: zoneId });
  const [once, old, witness] = [await world.newAsset(), await world.newAsset(), await world.newAsset()];
  await store.post(...twice(old.epc, ago(7 * 24 * 60 * MINUTE - MINUTE)));
  await gate.post(...twice(old.epc, ago(7 * 24 * 60 * MINUTE - MINUTE)));
  await Promise.all([1, 2, 3].map(() => gate.post(...twice(once.epc, ago(20_000)))));
  const [alert] = await world.raised(rule, once.assetId);
  await world.userApi.post(`/alerts/${alert?.id}/resolve`);
  await store.post(...twice(once.epc, ago(10_000)));
  await gate.post(...twice(once.epc), ...twice(witness.epc));
  const alerts = await world.raised(rule, once.assetId, witness.assetId);
  expect(alerts.map(({ status }) => status).sort()).toEqual(["open", "resolved"]);
});

test("left_zone: fires when the tag moves out, and ends when it is read in the zone again", async () => {
  const yard = await world.newZone("Yard");
  const rule = await world.makeRule("Left", { type: "left_zone", zone_id: yard.zoneId });
  const { assetId, epc } = await world.newAsset();
  // With pauses in which no portal reads it: so nothing is contested.
  await yard.post(...twice(epc, ago(20_000)));
  await soon(async () =>
    expect(await world.userApi.get(`/assets/${assetId}`)).toMatchObject({
      last_seen: { zone_id: yard.zoneId },
    }),
  );
  await store.post(...twice(epc, ago(10_000)));
  expect(await world.raised(rule, assetId)).toMatchObject([{ status: "open" }]);
  await yard.post(...twice(epc));
  await soon(async () =>
    expect(await world.alertsOf(rule)).toMatchObject([{ status: "resolved", subject: assetId }]),
  );
});

test("exit_portal_unauthorised: a checkout covers an exit at once, although its event is not published", async () => {
  const exit = await world.newZone("Exit");
  const rule = await world.makeRule("Exit", { type: "exit_portal_unauthorised", zone_id: exit.zoneId });
  const [thief, borrowed] = [await world.newAsset(), await world.newAsset()];
  const custodian = await world.userApi.post<{ id: string }>("/custodians", { name: "Ada" });
  const { register } = platform.services;
  const answers = () => soon(() => world.userApi.get("/assets?per_page=1"));
  try {
    // Without its relay, the register publishes no event.
    await register?.restart({ ROLES: "api,worker" });
    await answers();
    await world.userApi.post("/checkouts", {
      ...{ asset_id: borrowed.assetId, issued_to_type: "custodian", issued_to_id: custodian.id },
    });
    // The first of two reads is 1 s earlier, and must not be before the checkout.
    const at = new Date(Date.now() + 1_500);
    await exit.post(...twice(borrowed.epc, at), ...twice(thief.epc, at));
    expect(await world.raised(rule, thief.assetId)).toMatchObject([{ status: "open" }]);
  } finally {
    await register?.restart();
    await answers();
  }
  // The covered one was judged in the same batch, or it is judged before the next one.
  // Tagging may still wait before it connects to the register again.
  const next = await soon(() => world.newAsset());
  await exit.post(...twice(next.epc));
  await world.raised(rule, thief.assetId, next.assetId);
});

test("left_zone: a handheld in another zone raises no alert, however often it reads the tag", async () => {
  const hall = await world.newZone("Hall");
  const sled = await world.newZone("Shelf", "handheld_sled");
  const rule = await world.makeRule("Left the hall", { type: "left_zone", zone_id: hall.zoneId });
  const [kept, moved] = [await world.newAsset(), await world.newAsset()];
  await hall.post(...twice(kept.epc, ago(20_000)), ...twice(moved.epc, ago(20_000)));
  await sled.post(...[15, 14, 13, 12, 11].map((s) => ({ epc: kept.epc, ts: ago(s * 1_000) })));
  await soon(async () =>
    expect(await world.userApi.get(`/assets/${kept.assetId}`)).toMatchObject({
      last_seen: { zone_id: sled.zoneId },
    }),
  );
  await store.post(...twice(moved.epc, ago(5_000)));
  expect(await world.raised(rule, moved.assetId)).toMatchObject([{ status: "open" }]);
});

test("after_hours and status_mismatch: a read outside of the opening hours, and one of a lost asset", async () => {
  // A day that is neither today nor next to it, in any time zone.
  const day = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"][(new Date().getUTCDay() + 3) % 7];
  const { assetId, epc } = await world.newAsset();
  const scope = { scope_type: "asset", scope_id: assetId };
  const closed = { type: "after_hours", open_days: [day], open_from: "08:00", open_to: "18:00" };
  // Closed for one minute a day, which is hours away in the time zone of the demo, Europe/Berlin.
  const isDay = new Date().getUTCHours() >= 6 && new Date().getUTCHours() < 18;
  const open = {
    ...closed,
    open_days: ["sun", "mon", "tue", "wed", "thu", "fri", "sat"],
    ...(isDay ? { open_from: "00:00", open_to: "23:59" } : { open_from: "12:00", open_to: "11:59" }),
  };
  const [hours, opened] = [
    await world.makeRule("Night", closed, scope),
    await world.makeRule("Day", open, scope),
  ];
  const { data } = await world.userApi.get<Listed<{ id: string; key: string }>>("/statuses");
  const lost = data.find(({ key }) => key === "lost")?.id ?? "";
  const mismatch = await world.makeRule("Lost", { type: "status_mismatch", status_ids: [lost] }, scope);
  await world.userApi.post(`/assets/${assetId}/status`, { status_id: lost });
  await gate.post(...twice(epc));
  await world.raised(hours, assetId);
  await world.raised(mismatch, assetId);
  expect(await world.alertsOf(opened)).toEqual([]);
});

test("not_seen_for: an asset whose last read is too old raises an alert, and the next read ends it", async () => {
  const { assetId, epc } = await world.newAsset();
  const scope = { scope_type: "asset", scope_id: assetId };
  await store.post(...twice(epc, ago(9 * MINUTE)));
  const rule = await world.makeRule("Silent", { type: "not_seen_for", hours: 0.1 }, scope);
  expect(await world.raised(rule, assetId)).toMatchObject([{ status: "open" }]);
  await store.post(...twice(epc));
  await soon(async () => expect(await world.alertsOf(rule)).toMatchObject([{ status: "resolved" }]));
});

test("reader_offline: a portal that was heard and then is silent raises an alert", async () => {
  const quiet = await world.newZone("Quiet");
  const rule = await world.makeRule("Offline", { type: "reader_offline", minutes: 60 });
  // A batch without events is a sign of life.
  await quiet.post();
  const { env } = platform.services.notification!;
  const client = await mongoose.createConnection(testServers().mongoUrl).asPromise();
  try {
    const readers = client.getClient().db(env.MONGO_DATABASE).collection<{ _id: string }>("reader_states");
    const heard = { _id: quiet.readerId, lastSeenAt: { $exists: true }, active: true };
    await eventually(async () => expect(await readers.countDocuments(heard)).toBe(1));
    // Time passes: more than the other tests take, whose portals are silent now.
    await readers.updateOne({ _id: quiet.readerId }, { $set: { lastSeenAt: ago(120 * MINUTE) } });
    await world.raised(rule, quiet.readerId);
  } finally {
    await client.close();
  }
});

test("reader_degraded: a portal that is heard, but not well, raises an alert", async () => {
  const dull = await world.newZone("Dull");
  const rule = await world.makeRule("Degraded", { type: "reader_degraded", minutes: 5, reasons: ["blind"] });
  await dull.post();
  const { env } = platform.services.notification!;
  const client = await mongoose.createConnection(testServers().mongoUrl).asPromise();
  try {
    const readers = client.getClient().db(env.MONGO_DATABASE).collection<{ _id: string }>("reader_states");
    const heard = { _id: dull.readerId, lastSeenAt: { $exists: true }, active: true };
    await eventually(async () => expect(await readers.countDocuments(heard)).toBe(1));
    // It takes two weeks until a reader has a baseline. Its next judgement would come after the test.
    const since = ago(10 * MINUTE);
    const health = { state: "degraded", reasons: ["blind"], since, changedAt: since };
    await readers.updateOne(
      { _id: dull.readerId },
      { $set: { health, healthSequence: Date.now() + MINUTE } },
    );
    await world.raised(rule, dull.readerId);
  } finally {
    await client.close();
  }
});

test("exit_portal_unauthorised: a single read at the door fires when the tag is not read inside again", async () => {
  await soon(async () => {
    // The portal inside is alive, and does not read it.
    await inside.post();
    expect(await world.alertsOf(doorRule)).toMatchObject([{ status: "open", subject: taken.assetId }]);
  });
});

test("unknown_tag: each unknown tag raises an alert; what is too much for a minute is one digest", async () => {
  type Notice = { kind: string; rule_id: string; count: number | null };
  await soon(async () => {
    expect(await world.alertsOf(unknownRule)).toHaveLength(UNKNOWN_TAGS);
    const { data } = await world.userApi.get<Listed<Notice>>("/notices?per_page=200");
    const own = data.filter(({ rule_id }) => rule_id === unknownRule);
    const digests = own.filter(({ kind }) => kind === "alert_digest");
    const single = own.length - digests.length;
    expect(digests.length).toBeGreaterThan(0);
    expect(digests.reduce((sum, { count }) => sum + (count ?? 0), single)).toBe(UNKNOWN_TAGS);
  });
});

test("tag_cloned: a tag that is read at two properties within the travel time fires once, and not at two portals of one property", async () => {
  const far = await world.newZone("Far", "fixed_portal", "Branch");
  const rule = await world.makeRule("Cloned", { type: "tag_cloned" });
  for (const portal of [gate, store, far]) {
    await portal.post();
    await world.untilClockIsKnown(portal.readerId);
  }
  const [copied, carried] = [await world.newAsset(), await world.newAsset()];
  await gate.post(...twice(carried.epc, ago(9_000)), ...twice(copied.epc, ago(9_000)));
  await store.post(...twice(carried.epc, ago(5_000)));
  await far.post(...twice(copied.epc, ago(5_000)));
  const [alert] = await world.raised(rule, copied.assetId);
  expect(alert).toMatchObject({
    clone: { reads: [{ reader_id: gate.readerId }, { reader_id: far.readerId }], travel_seconds: 300 },
  });
});
