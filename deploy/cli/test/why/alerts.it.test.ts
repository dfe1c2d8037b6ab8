import { eventually } from "@asset-register/harness";
import { newId } from "@asset-register/runtime";
import { afterAll, expect, test } from "vitest";
import type { AlertRule } from "../../../../services/notification/src/domain/alert-rules/alert-rule.ts";
import { raise, resolve } from "../../../../services/notification/src/domain/alerts/alert.ts";
import { alertRecords } from "../../../../services/notification/src/store/alerts/alerts.ts";
import { createMailStore } from "../../../../services/notification/src/store/alerts/mails.ts";
import { waitingSightingRecords } from "../../../../services/notification/src/store/alerts/waiting-sightings.ts";
import { createLastSightingStore } from "../../../../services/notification/src/store/projections/last-sightings.ts";
import type { Read } from "../../../../services/notification/test/events.ts";

import { ago, HOUR_MS, openWhy, type Question, TRANSPORT } from "./support.ts";

// Each test is a place at which something that was expected can stop. `cli why` has to name it.

const opened = await openWhy({ runs: true });
afterAll(() => opened.own.close(), 60_000);
const { own, why, expectStop, move, ruled, seen, observation, beyond } = opened;

test("a rule that is disabled, and one that does not exist", async () => {
  const rule = await ruled({ enabled: false });
  const stop = { step: "rule", state: "stopped", text: /\(Gate\) is disabled/, advice: /PATCH enabled/ };
  await expectStop(["alert", rule.id], stop);
  await expectStop(["alert", newId("ast"), rule.id], stop);
  await expectStop(["alert", newId("rul")], { step: "rule", state: "stopped", text: /no alert rule/ });
});

test("an asset without a sighting: it reports the reads that wait", async () => {
  const rule = await ruled();
  const steps = await expectStop(["alert", newId("ast"), rule.id], {
    ...{
      step: "reads",
      state: "unknown",
      text: /0 records of reader-event.v1 wait for the group tagging-ingest-reads/,
    },
  });
  expect(steps.at(-2)).toMatchObject({ step: "sighting", state: "stopped" });
});

test.each<[string, Partial<AlertRule>, Partial<Read>, RegExp]>([
  ["a late sighting", {}, { at: ago(HOUR_MS) }, /It is late: it was received \d+ minutes after its time/],
  ["another zone", {}, { zoneId: "zon_hall" }, /condition is not met: seen_in_zone zon_gate.*zone zon_hall/],
  [
    "an asset of another category",
    { scopeType: "category", scopeId: "cat_tools" },
    {},
    /not in the scope of the rule: category cat_tools/,
  ],
  [
    "a rule that was enabled later",
    { activeSince: new Date(Date.now() + HOUR_MS) },
    {},
    /before the rule became active/,
  ],
])("a sighting on which the rule does not fire: %s", async (_name, change, read, text) => {
  const [rule, assetId] = [await ruled(change), newId("ast")];
  await seen(rule, assetId, read);
  const args: Question = ["alert", assetId, rule.id];
  await beyond([...TRANSPORT, "reads"], ...args);
  await expectStop(args, { step: "sighting", state: "stopped", text });
});

test("a sighting in the cooldown, and one while the alert is open", async () => {
  const [rule, assetId] = [await ruled(), newId("ast")];
  const alert = raise(rule, observation(assetId), newId("alr"));
  const alerts = alertRecords.store(own.notification);
  await alerts.insert(rule.workspaceId, alert);
  await seen(rule, assetId, { sequence: 2 });
  const args: Question = ["alert", assetId, rule.id];
  await beyond([...TRANSPORT, "reads"], ...args);
  await expectStop(args, {
    step: "alert",
    state: "stopped",
    text: /is open since .* A repeat only raises its count/,
  });
  const resolved = resolve(alert, ago(60_000), { kind: "user", id: "usr_1" });
  await alerts.save(rule.workspaceId, resolved, alert.rev);
  await expectStop(args, {
    step: "alert",
    state: "stopped",
    text: /was resolved at .*for 300 s after it \(cooldown_seconds\)/,
  });
});

test("a sighting that waits for the register, and one that the rule should have reported", async () => {
  const [rule, assetId] = [await ruled(), newId("ast")];
  await seen(rule, assetId);
  const args: Question = ["alert", assetId, rule.id];
  await beyond([...TRANSPORT, "reads"], ...args);
  const [step] = (
    await expectStop(args, { step: "judging", state: "unknown", text: /but there is no alert/ })
  ).slice(-1);
  const sightingId = step?.text.split(" ")[0];
  await waitingSightingRecords.store(own.notification).insert(rule.workspaceId, {
    ...{ id: `${rule.id}:${sightingId}`, workspaceId: rule.workspaceId, ruleId: rule.id, subject: assetId },
    sighting: { id: sightingId ?? "", kind: "seen", epc: "E1", ...observation(assetId) },
    savedAt: new Date(),
  });
  await expectStop(args, { step: "register", state: "waits", text: /register has not answered/ });
});

test("an exit that a movement covers", async () => {
  const [rule, assetId] = [
    await ruled({ condition: { type: "exit_portal_unauthorised", zoneId: "zon_gate" } }),
    newId("ast"),
  ];
  await seen(rule, assetId, { change: { case: "arrived", value: {} } });
  const args: Question = ["alert", assetId, rule.id];
  await beyond([...TRANSPORT, "reads"], ...args);
  await expectStop(args, { step: "judging", state: "unknown", text: /but there is no alert/ });
  await move({ workspaceId: rule.workspaceId, assetId });
  await expectStop(args, {
    step: "exit",
    state: "stopped",
    text: /authorised by a checkout, or by a movement/,
  });
});

test("without a rule, each rule of the workspace has its reason", async () => {
  const [rule, assetId] = [
    await ruled({ name: "Hall", condition: { type: "seen_in_zone", zoneId: "zon_hall" } }),
    newId("ast"),
  ];
  const { workspaceId } = rule;
  const disabled = await ruled({ workspaceId, enabled: false });
  const asset = { _id: assetId, workspaceId };
  await own.register.collection<typeof asset>("assets").insertOne(asset);
  await seen(rule, assetId);
  await eventually(async () => {
    const steps = await why("alert", assetId);
    expect(steps.map(({ step, text }) => [step, text])).toEqual([
      ["sighting", expect.stringMatching(`${rule.id} \\(Hall\\): msg_\\w+ .*condition is not met`)],
      ["rule", expect.stringContaining(`${disabled.id} (Gate) is disabled`)],
    ]);
  });
});

test("silence that is too short, an asset that was never seen, and one for the next sweep", async () => {
  const rule = await ruled({ condition: { type: "not_seen_for", hours: 2 } });
  const { workspaceId } = rule;
  const assetId = newId("ast");
  const args: Question = ["alert", assetId, rule.id];
  await expectStop(args, { step: "sighting", state: "stopped", text: /was never seen/ });
  const last = { id: assetId, workspaceId, order: { epoch: 0, sequence: 1 } };
  const store = createLastSightingStore(own.notification);
  await store.upsertNewest([{ ...last, at: ago(HOUR_MS) }]);
  await expectStop(args, { step: "silence", state: "waits", text: /fires at/ });
  await own.notification
    .collection<{ _id: string; workspaceId: string; at: Date }>("last_sightings")
    .updateOne({ workspaceId, _id: assetId }, { $set: { at: ago(3 * HOUR_MS) } });
  await expectStop(args, {
    step: "sweep",
    state: "waits",
    text: /sightings of the register are not read yet|next sweep/,
  });
});

test("a reader that was not judged yet, is well, is not degraded for long enough, and one for the next sweep", async () => {
  const rule = await ruled({ condition: { type: "reader_degraded", minutes: 60, reasons: ["blind"] } });
  const { workspaceId } = rule;
  const id = newId("rdr");
  const args: Question = ["alert", id, rule.id];
  const readers = own.notification.collection<{ _id: string; workspaceId: string }>("reader_states");
  // As its event was projected.
  const row = { _id: id, workspaceId, kind: "fixed_portal", active: true, sourceSequence: 1 };
  await readers.insertOne(row);
  await expectStop(args, { step: "health", state: "stopped", text: /was not judged yet/ });
  const judged = (since: Date, ...reasons: string[]) => {
    const health = { state: "degraded", reasons, since, changedAt: since };
    return readers.updateOne({ workspaceId, _id: id }, { $set: { health } });
  };
  await judged(ago(3 * HOUR_MS), "clock_skew");
  await expectStop(args, { step: "health", state: "stopped", text: /is degraded clock_skew/ });
  await judged(ago(HOUR_MS / 2), "blind");
  await expectStop(args, { step: "silence", state: "waits", text: /is degraded since .* fires at/ });
  await judged(ago(3 * HOUR_MS), "blind");
  await expectStop(args, { step: "sweep", state: "waits", text: /next sweep/ });
});

test("a mail that no process has attempted: it names the settings of the mail server", async () => {
  const rule = await ruled({ channel: "email", channelTarget: "ops@example.com" });
  const alert = raise(rule, observation(newId("ast")), newId("alr"));
  await alertRecords.store(own.notification).insert(rule.workspaceId, alert);
  const mail = {
    ruleId: rule.id,
    to: ["ops@example.com"],
    type: "alert.raised",
    alertIds: [alert.id],
  } as const;
  await own.notification.transaction({}, (session) =>
    createMailStore(own.notification).add(
      rule.workspaceId,
      [{ ...mail, to: [...mail.to], alertIds: [...mail.alertIds], subject: "Alert", text: "", html: "" }],
      session,
    ),
  );
  await expectStop(["alert", alert.id], {
    ...{
      step: "mail",
      state: "stopped",
      text: /ops@example.com is due since .*No process has attempted it/,
    },
    advice: /SMTP_URL and MAIL_FROM/,
  });
});

test("without a message on its channel, an alert stops there; one that does not exist stops at once", async () => {
  const rule = await ruled();
  const alert = raise(rule, observation(newId("ast")), newId("alr"));
  await alertRecords.store(own.notification).insert(rule.workspaceId, alert);
  await expectStop(["alert", alert.id], {
    step: "channel",
    state: "unknown",
    text: /channel inapp/,
    advice: /digest/,
  });
  await expectStop(["alert", newId("alr")], { step: "alert", state: "stopped", text: /There is no alert/ });
});
