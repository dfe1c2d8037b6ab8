import { systemCollection } from "@asset-register/mongo/system";
import { newId } from "@asset-register/runtime";
import { afterAll, expect, test } from "vitest";

import { openWhy, workspace } from "./support.ts";

// Each test is a place at which something that was expected can stop. `cli why` has to name it.

const opened = await openWhy({ runs: false });
afterAll(() => opened.own.close(), 60_000);
const { own, expectStop, move, beyond } = opened;

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
