import { readFile } from "node:fs/promises";
import path from "node:path";
import { eventually } from "@asset-register/harness";
import { systemCollection } from "@asset-register/mongo/system";
import { newId } from "@asset-register/runtime";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { raise, resolve } from "../../../services/notification/src/domain/alert.ts";
import type { AlertRule } from "../../../services/notification/src/domain/alert-rule.ts";
import type { Endpoint } from "../../../services/notification/src/domain/endpoint.ts";
import { movementMessage } from "../../../services/notification/src/domain/payload.ts";
import { deliveryOf } from "../../../services/notification/src/operations/enqueue-messages.ts";
import { alertRuleRecords } from "../../../services/notification/src/store/alert-rules.ts";
import { alertRecords } from "../../../services/notification/src/store/alerts.ts";
import { createDeliveryStore, deliveryRecords } from "../../../services/notification/src/store/deliveries.ts";
import { endpointRecords } from "../../../services/notification/src/store/endpoints.ts";
import { createLastSightingStore } from "../../../services/notification/src/store/last-sightings.ts";
import { createMailStore } from "../../../services/notification/src/store/mails.ts";
import { waitingSightingRecords } from "../../../services/notification/src/store/waiting-sightings.ts";
import { type Read, sightingEvent } from "../../../services/notification/test/events.ts";
import { assetMoved } from "../../../services/register/src/published.ts";
import { createMovementStore } from "../../../services/register/src/store/custody/movements.ts";
import { followToWebhooks } from "../src/why/delivery.ts";
import { followMovement } from "../src/why/movement.ts";
import { followToAlert } from "../src/why/rules.ts";
import type { Step, Steps } from "../src/why/step.ts";
import { type Installation, openInstallation, POISON } from "./installation.ts";

// Each test is a place at which something that was expected can stop. `cli why` has to name it.

const sealed = { keyId: "k1", nonce: Buffer.alloc(12), data: Buffer.alloc(32) };
const HOUR_MS = 3_600_000;
const ago = (ms: number): Date => new Date(Date.now() - ms);

const workspace = () => ({ workspaceId: newId("wsp"), assetId: newId("ast") });

let own: Installation;

/** An installation for the tests of a block. */
function install({ runs }: { runs: boolean }): void {
  beforeAll(async () => {
    own = await openInstallation();
    if (!runs) return;
    await own.relays();
    await own.consumer();
  }, 120_000);
  afterAll(() => own.close(), 60_000);
}

/** The arguments of the command: `option` is the webhook, or the rule of an alert. */
type Question = [kind: "movement" | "delivery" | "alert", id: string, option?: string];

/**
 * The steps that a command reports. It runs in this process, since a process for each of them takes most of the time of
 * these tests; the last tests of the first block run the command itself.
 */
async function why(...question: Question): Promise<Step[]> {
  const found: Step[] = [];
  for await (const step of follow(...question)) found.push(step);
  return found;
}

function follow(...[kind, id, option]: Question): Steps {
  if (kind === "movement") return followMovement(own.tools, id, option);
  if (kind === "delivery") return followToWebhooks(own.tools, id, option);
  return followToAlert(own.tools, { id, ruleId: option, since: ago(24 * HOUR_MS) });
}

async function expectStop(
  args: Question,
  expected: { step: string; state: string; text: RegExp; advice?: RegExp },
) {
  const steps = await why(...args);
  const { text, advice, ...rest } = expected;
  const last = steps.at(-1);
  expect(last).toMatchObject(rest);
  expect(last?.text).toMatch(text);
  if (advice) expect(last?.advice).toMatch(advice);
  return steps;
}

/** A movement as the register saves it, with its event in the outbox. */
async function move({ workspaceId, assetId }: { workspaceId: string; assetId: string }, sequence = 1) {
  const movement = {
    ...{ id: newId("mov"), workspaceId, assetId, toLocationId: "loc_b", reason: "transfer", sequence },
    ...{ at: new Date(), by: { kind: "user" as const, id: "usr_1" } },
  };
  const event = assetMoved(movement);
  await own.register.transaction({}, (session) =>
    createMovementStore(own.register).insertMany(workspaceId, [movement], session),
  );
  await own.add(own.register, event);
  return movement;
}

async function subscribed(workspaceId: string, change: Partial<Endpoint> = {}): Promise<Endpoint> {
  const endpoint: Endpoint = {
    ...{
      id: newId("whk"),
      workspaceId,
      kind: "subscription",
      url: "https://hooks.example.com/in?token=secret",
    },
    ...{ events: ["*"], secret: sealed, status: "active", createdAt: ago(HOUR_MS), rev: 1 },
    ...change,
  };
  const beside = { slots: [], failures: 0 };
  await endpointRecords.store(own.notification).insert(workspaceId, endpoint, undefined, beside);
  return endpoint;
}

async function delivery({ workspaceId, id }: Endpoint, change: object = {}) {
  const cause = { workspaceId, id: newId("msg"), sequence: 1, time: new Date() };
  const moved = { id: newId("mov"), assetId: "ast_1", at: new Date(), by: { kind: "user", id: "usr_1" } };
  const made = deliveryOf(movementMessage(cause, moved), id);
  await createDeliveryStore(own.notification).addOnce([made]);
  const { collection } = deliveryRecords.store(own.notification);
  const filter = { workspaceId, messageId: made.messageId };
  await collection.updateOne(filter, { $set: { attempts: 0, ...change } });
  return (await collection.findOne(filter))?._id ?? "";
}

async function ruled(change: Partial<AlertRule> = {}): Promise<AlertRule> {
  const rule: AlertRule = {
    ...{ id: newId("rul"), workspaceId: newId("wsp"), name: "Gate", scopeType: "all", channel: "inapp" },
    ...{ condition: { type: "seen_in_zone", zoneId: "zon_gate" }, enabled: true, cooldownSeconds: 300 },
    ...{ createdAt: ago(HOUR_MS), rev: 1, version: 1 },
    ...change,
  };
  await alertRuleRecords.store(own.notification).insert(rule.workspaceId, rule);
  return rule;
}

/** A sighting as tagging-ingest publishes it. */
async function seen({ workspaceId }: AlertRule, assetId: string, read: Partial<Read> = {}): Promise<void> {
  const event = sightingEvent({
    ...{ workspaceId, assetId, sequence: 1, zoneId: "zon_gate", change: { case: "seen", value: {} } },
    ...read,
  });
  await own.add(own.taggingIngest, { ...event, time: new Date() });
}

const observation = (assetId: string, sequence = 1) => ({
  ...{
    assetId,
    zoneId: "zon_gate",
    at: ago(HOUR_MS),
    receivedAt: ago(HOUR_MS),
    order: { epoch: 0, sequence },
  },
});

/** Waits until `cli why` no more stops at one of these steps. */
const beyond = (steps: string[], ...args: Question) =>
  eventually(async () => expect(steps).not.toContain((await why(...args)).at(-1)?.step));

const TRANSPORT = ["outbox", "topic", "consumer"];

describe("without relays and consumers", () => {
  install({ runs: false });

  test("a movement that was never saved: it stops at the movement", async () => {
    await expectStop(["movement", newId("mov")], {
      ...{ step: "movement", state: "stopped", text: /register has no movement mov_/, advice: /request_id/ },
    });
  });

  test("an event that no relay has sent waits in the outbox; its id and the asset lead there, too", async () => {
    const moved = await move(workspace());
    const expected = {
      ...{ step: "outbox", state: "waits", text: /Event msg_\w+ is not sent/, advice: /role relay/ },
    };
    const steps = await expectStop(["movement", moved.id], expected);
    expect(steps[0]).toMatchObject({ step: "movement", state: "passed" });
    const asset = { _id: moved.assetId, workspaceId: moved.workspaceId };
    await own.register.collection<typeof asset>("assets").insertOne(asset);
    await expectStop(["movement", moved.assetId], expected);
    const [, id = ""] = /Event (msg_\w+)/.exec(steps.at(-1)?.text ?? "") ?? [];
    await expectStop(["delivery", id], expected);
  });

  test("an event that the broker refuses is parked, and the next one of its asset waits behind it", async () => {
    const asset = workspace();
    const [first, second] = [await move(asset, 1), await move(asset, 2)];
    const outbox = systemCollection(own.register, "outbox");
    const parked = { parked: { error: "MESSAGE_TOO_LARGE", at: new Date() } };
    await outbox.updateOne({ subject: asset.assetId, sequence: 1 }, { $set: parked });
    await expectStop(["movement", first.id], {
      ...{
        step: "outbox",
        state: "stopped",
        text: /is parked since .*MESSAGE_TOO_LARGE/,
        advice: /outbox retry\|drop/,
      },
    });
    await expectStop(["movement", second.id], {
      ...{
        step: "outbox",
        state: "stopped",
        text: /waits behind event msg_\w+ of the same key, which is parked/,
      },
    });
  });

  test("an event of a topic that can't be written is held", async () => {
    const moved = await move(workspace());
    const held = { held: { target: "movement.v1/0", error: "NOT_ENOUGH_REPLICAS", at: new Date() } };
    await systemCollection(own.register, "outbox").updateOne({ subject: moved.assetId }, { $set: held });
    await expectStop(["movement", moved.id], {
      ...{ step: "outbox", state: "waits", text: /movement.v1\/0 can't be written/, advice: /outbox-held/ },
    });
    await systemCollection(own.register, "outbox").deleteMany({});
  });

  test("an event that is in neither the outbox nor the topic stops at the topic", async () => {
    const moved = await move(workspace());
    await systemCollection(own.register, "outbox").deleteMany({ subject: moved.assetId });
    await expectStop(["movement", moved.id], {
      ...{
        step: "topic",
        state: "stopped",
        text: /neither in the outbox nor in movement.v1/,
        advice: /outbox drop/,
      },
    });
  });

  test("an event that the group has not handled: it reports how far the group is behind, and that no process is in it", async () => {
    await own.relays();
    const moved = await move(workspace());
    await beyond(["outbox", "topic"], "movement", moved.id);
    await expectStop(["movement", moved.id], {
      ...{
        step: "consumer",
        state: "stopped",
        text: /has not handled it.*No process is in the group/,
        advice: /role worker/,
      },
    });
  });
});

describe("from the event to the receiver", () => {
  install({ runs: true });

  test("an event that the group could not handle is a dead letter", async () => {
    const moved = await move({ ...workspace(), assetId: POISON });
    await beyond(["outbox", "topic"], "movement", moved.id);
    await eventually(() =>
      expectStop(["movement", moved.id], {
        ...{
          step: "consumer",
          state: "stopped",
          text: /dead letter.*no such colour/,
          advice: /dlq retry movement.v1\/0\/\d+/,
        },
      }),
    );
  });

  test("a subscription that asks for other types, one that is disabled, and one that was made later: each has its reason", async () => {
    const asset = workspace();
    const { workspaceId } = asset;
    const other = await subscribed(workspaceId, { events: ["alert.raised"] });
    const disabled = await subscribed(workspaceId, { status: "disabled" });
    const moved = await move(asset);
    await beyond(TRANSPORT, "movement", moved.id);
    const later = await subscribed(workspaceId, { createdAt: new Date(Date.now() + HOUR_MS) });
    const steps = await why("movement", moved.id);
    expect(steps.slice(-3)).toEqual([
      expect.objectContaining({ text: `${other.id} asks for alert.raised, not for asset.moved.` }),
      expect.objectContaining({ text: expect.stringContaining(`${disabled.id} is disabled`) }),
      expect.objectContaining({
        text: expect.stringMatching(`${later.id} is active since .* published before`),
      }),
    ]);
    await expectStop(["delivery", moved.id, other.id], {
      ...{ step: "subscription", state: "stopped", text: /not for asset.moved/, advice: /PATCH events/ },
    });
  });

  test("a workspace without subscriptions: it stops there", async () => {
    const moved = await move(workspace());
    await beyond(TRANSPORT, "movement", moved.id);
    await expectStop(["movement", moved.id], {
      ...{ step: "subscription", state: "stopped", text: /has no webhook subscription/ },
    });
  });

  test("a pending delivery: the last error and the next attempt; by the id of the event, the message and the movement, too", async () => {
    const asset = workspace();
    const { id, workspaceId } = await subscribed(asset.workspaceId);
    const moved = await move(asset);
    const { collection } = deliveryRecords.store(own.notification);
    const made = await eventually(async () => {
      const found = await collection.findOne({ workspaceId, endpointId: id });
      expect(found).not.toBeNull();
      return found;
    });
    const nextAttemptAt = new Date(Date.now() + HOUR_MS);
    await collection.updateOne(
      { workspaceId, endpointId: id },
      { $set: { attempts: 2, lastError: "the answer was 503", nextAttemptAt } },
    );
    const expected = {
      ...{ step: "delivery", state: "waits" },
      text: new RegExp(
        `Attempt 2 failed: the answer was 503. The next attempt is at ${nextAttemptAt.toISOString()}`,
      ),
    };
    const steps = await expectStop(["movement", moved.id], expected);
    const [, eventId = ""] =
      /Event (msg_\w+)/.exec(steps.find(({ step }) => step === "topic")?.text ?? "") ?? [];
    for (const asked of [made?._id ?? "", made?.messageId ?? "", eventId])
      await expectStop(["delivery", asked], expected);
    expect(JSON.stringify(steps)).not.toContain("token=secret");
  });

  test("a due delivery that nobody sends: it names the role sender", async () => {
    const id = await delivery(await subscribed(newId("wsp")), { nextAttemptAt: ago(HOUR_MS) });
    await expectStop(["delivery", id], {
      ...{ step: "delivery", state: "waits", text: /is due since/, advice: /role sender/ },
    });
  });

  test("a delivery of a disabled endpoint, one that has failed, one that arrived, and one that does not exist", async () => {
    const disabled = await subscribed(newId("wsp"), { status: "disabled" });
    await expectStop(["delivery", await delivery(disabled)], {
      ...{
        step: "endpoint",
        state: "stopped",
        text: /\(https:\/\/hooks.example.com\) is disabled/,
        advice: /active/,
      },
    });
    const active = await subscribed(newId("wsp"));
    const failed = { status: "failed", attempts: 10, lastError: "time-out" };
    await expectStop(["delivery", await delivery(active, failed)], {
      ...{
        step: "delivery",
        state: "stopped",
        text: /has failed after 10 attempts: time-out/,
        advice: /retry/,
      },
    });
    const arrived = { status: "delivered", attempts: 1, lastResponseStatus: 204 };
    await expectStop(["delivery", await delivery(active, arrived)], {
      ...{ step: "receiver", state: "passed", text: /answered 204 to attempt 1/ },
    });
    await expectStop(["delivery", newId("dlv")], {
      ...{ step: "delivery", state: "stopped", text: /no delivery and no mail/, advice: /Ask by the cause/ },
    });
  });

  test("the command prints the steps for people as the page shows them", async () => {
    const asset = workspace();
    await subscribed(asset.workspaceId, { events: ["alert.raised"] });
    const moved = await move(asset);
    await beyond(TRANSPORT, "movement", moved.id);
    const page = await readFile(path.resolve(import.meta.dirname, "../why-did-it-not-arrive.md"), "utf8");
    const [, shown = ""] = /\$ cli why movement mov_\w+\n([\s\S]*?)\n```/.exec(page) ?? [];
    const { out } = await own.why("movement", moved.id);
    expect(withoutValues(out.trim())).toBe(withoutValues(shown));
  });

  test("an id that the command can't follow is an error that names what it takes", async () => {
    expect(await own.why("delivery", "tag_1")).toMatchObject({
      code: 1,
      err: expect.stringContaining("no id of"),
    });
    expect(await own.why("movement", "whk_1")).toMatchObject({
      code: 1,
      err: expect.stringContaining("no id of"),
    });
    expect(await own.why("alert", newId("ast"))).toMatchObject({
      code: 1,
      err: expect.stringContaining("There is no asset"),
    });
  });
});

describe("alerts", () => {
  install({ runs: true });

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
    [
      "another zone",
      {},
      { zoneId: "zon_hall" },
      /condition is not met: seen_in_zone zon_gate.*zone zon_hall/,
    ],
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
});

/** Ids, times and offsets differ in each run. */
function withoutValues(text: string): string {
  return text
    .replaceAll(/\b(mov|ast|msg|whk|wsp)_\w+/g, "$1_")
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "TIME")
    .replaceAll(/offset \d+/g, "offset N");
}
