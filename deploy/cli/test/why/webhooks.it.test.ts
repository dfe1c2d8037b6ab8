import { readFile } from "node:fs/promises";
import path from "node:path";
import { eventually } from "@asset-register/harness";
import { newId } from "@asset-register/runtime";
import { afterAll, expect, test } from "vitest";
import { deliveryRecords } from "../../../../services/notification/src/store/webhooks/deliveries.ts";
import { POISON } from "../installation.ts";

import { ago, HOUR_MS, openWhy, TRANSPORT, workspace } from "./support.ts";

// Each test is a place at which something that was expected can stop. `cli why` has to name it.

const opened = await openWhy({ runs: true });
afterAll(() => opened.own.close(), 60_000);
const { own, why, expectStop, move, subscribed, delivery, beyond } = opened;

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
  const page = await readFile(path.resolve(import.meta.dirname, "../../why-did-it-not-arrive.md"), "utf8");
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

/** Ids, times and offsets differ in each run. */
function withoutValues(text: string): string {
  return text
    .replaceAll(/\b(mov|ast|msg|whk|wsp)_\w+/g, "$1_")
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "TIME")
    .replaceAll(/offset \d+/g, "offset N");
}
