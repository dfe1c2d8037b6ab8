import { eventually } from "@asset-register/harness";
import { AssetEventSchema } from "@asset-register/proto/assetregister/events/v1/asset_pb";
import { create, toBinary } from "@bufbuild/protobuf";
import { BinaryWriter, WireType } from "@bufbuild/protobuf/wire";
import { expect, test } from "vitest";
import { createDeadLetters, type Incoming } from "../src/index.ts";
import { produce, state, world } from "./support.ts";
import { thingProjection } from "./things.ts";

test("an event of a newer release (unknown change, enum value and header) is projected and never becomes a dead letter", async () => {
  const { consumer, kafka, metrics, mongo } = await world();
  const known = toBinary(AssetEventSchema, create(AssetEventSchema, { state: { id: "a", name: "new" } }));
  // Field 2 is an enum. Field 999 is a case of the oneof that this release does not know.
  const newer = new BinaryWriter()
    .tag(2, WireType.Varint)
    .int32(4_711)
    .tag(999, WireType.LengthDelimited)
    .bytes(new Uint8Array([10, 1, 65]))
    .finish();
  const headers = {
    ...{
      ce_id: "1",
      ce_type: "com.assetregister.asset.teleported",
      ce_workspaceid: "wsp_1",
      ce_subject: "a",
    },
    ...{ ce_sequence: "1", ce_future: "?" },
  };
  await produce(kafka, state, { key: "wsp_1:a", value: Buffer.concat([known, newer]), headers });
  const things = thingProjection.store(mongo);
  const seen: Incoming<typeof AssetEventSchema>[] = [];
  await consumer({
    subscriptions: [
      thingProjection.subscription(async (states, { events }) => {
        seen.push(...events);
        await things.project(states);
      }),
    ],
  });
  await eventually(async () => expect(await things.get("wsp_1", "a")).toMatchObject({ name: "new" }));
  expect(seen[0]?.message?.change.case).toBeUndefined();
  expect(seen[0]?.message?.statusClass).toBe(4_711);
  expect(await createDeadLetters(kafka).list()).toEqual([]);
  await eventually(async () =>
    expect(await metrics.registry.getSingleMetricAsString("consumer_newer_events_total")).toMatch(/ 1$/m),
  );
});
