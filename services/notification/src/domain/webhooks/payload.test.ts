import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { type Alert, acknowledge, resolve } from "../alerts/alert.ts";
import { type Message, messageBody } from "./message.ts";
import {
  alertMessage,
  type Checkout,
  checkoutMessage,
  digestMessage,
  movementMessage,
  testMessage,
} from "./payload.ts";

const workspaceId = "wsp_01k8f6z0qye0cbmvx3rb8hqj6a";
const assetId = "ast_01k8f70a4bfhkv5wq2t4r7z1xe";
const at = (clock: string): Date => new Date(`2026-03-01T${clock}.000Z`);

const checkout: Checkout = {
  id: "chk_01k8f72r3gf8h9c2v4q6y8z0ab",
  assetId,
  issuedToType: "custodian",
  issuedToId: "cus_01k8f71d5meq8rj3n7w9x2a4bc",
  issuedAt: at("09:40:00"),
  dueAt: at("17:00:00"),
  conditionOut: "good",
  conditionIn: "damaged",
  returnedAt: at("18:05:00"),
  returnedLate: true,
  needsInspection: true,
};

const alert: Alert = {
  id: "alr_01k8f73v2sfn4e6t8y0a2c4d6e",
  workspaceId,
  ruleId: "rul_01k8f6zw8rf2k4m6p8s0v2x4z6",
  status: "open",
  subject: assetId,
  assetId,
  zoneId: "zon_01k8f6zn1cf5g7j9m1p3r5t7v9",
  readerId: "rdr_01k8f6zr6hfab3d5f7h9k1m3p5",
  count: 1,
  firstAt: at("10:00:00"),
  lastAt: at("10:00:00"),
  rev: 1,
  order: { epoch: 0, sequence: 12 },
};

const cause = (id: string, sequence: number, time: Date) => ({ workspaceId, id, sequence, time });
const ada = { kind: "user", id: "usr_01k8f6xq7ve3c5f7h9k1m3p5r7" } as const;
const digest = {
  ...{ id: "rul_01k8f6zw8rf2k4m6p8s0v2x4z6:10:00", workspaceId, ruleId: "rul_01k8f6zw8rf2k4m6p8s0v2x4z6" },
  ...{ count: 2, firstAt: at("10:00:12"), lastAt: at("10:00:58") },
  alertIds: ["alr_01k8f73v2sfn4e6t8y0a2c4d6e", "alr_01k8f741m5f0h2k4n6q8s1v3x5"],
};
const acknowledged = acknowledge({ ...alert, count: 3, lastAt: at("10:02:10") }, at("10:05:00"), ada);

const examples: Message[] = [
  movementMessage(cause("evt_1", 7, at("09:30:00")), {
    id: "mov_01k8f71x9bfd7m9q1t3v5y7a9c",
    assetId,
    fromLocationId: "loc_01k8f6y1a2f4b6d8g0j2m4p6r8",
    toLocationId: "loc_01k8f6y5k3f9e1h3k5n7q9t1v3",
    toCustodianId: "cus_01k8f71d5meq8rj3n7w9x2a4bc",
    reason: "transfer",
    at: at("09:30:00"),
    by: { kind: "user", id: "usr_01k8f6xq7ve3c5f7h9k1m3p5r7" },
  }),
  checkoutMessage(cause("evt_2", 1, at("09:40:00")), "checkout.created", checkout),
  checkoutMessage(cause("evt_3", 2, at("18:05:00")), "checkout.returned", checkout),
  alertMessage(alert, at("10:00:01")),
  alertMessage(acknowledged, at("10:05:00")),
  alertMessage(resolve(acknowledged, at("10:20:00"), ada), at("10:20:00")),
  digestMessage(digest, at("10:01:00")),
  testMessage(workspaceId, "whk_01k8f75c1dfx7a9s2u4w6y8b0e", "test_1", at("10:30:00")),
];

/** The JSON blocks of the page of webhooks, by their type. */
function documented(): Map<string, unknown> {
  const page = readFileSync(new URL("../../../docs/webhooks.md", import.meta.url), "utf8");
  const blocks = [...page.matchAll(/```json\n(.*?)```/gs)].map(([, text]) => JSON.parse(text!));
  return new Map(blocks.map((block) => [block.type, block]));
}

describe("the examples of docs/webhooks.md", () => {
  test("the page has one example for each type that is not on the page of event types", () => {
    expect([...documented().keys()].sort()).toEqual(examples.map(({ type }) => type).sort());
  });

  test.each(examples)("the example of $type is the message that is sent", (message) => {
    expect(JSON.parse(messageBody(message))).toEqual(documented().get(message.type));
  });

  test("bodies have ids and changes, no records, and are far below 256 KiB", () => {
    for (const message of examples) expect(messageBody(message).length).toBeLessThan(2048);
  });
});

test("the message of a cloned tag has both reads", () => {
  const read = {
    readerId: "rdr_1",
    locationId: "loc_1",
    propertyId: "prp_1",
    at: at("09:58:00"),
    eventId: "evt_1",
  };
  const clone = { reads: [read, { ...read, zoneId: "zon_1", rssi: -50.5 }], travelSeconds: 300 };
  const sent = { reader_id: "rdr_1", location_id: "loc_1", property_id: "prp_1", event_id: "evt_1" };
  const instant = "2026-03-01T09:58:00.000Z";
  expect(JSON.parse(messageBody(alertMessage({ ...alert, clone }, at("10:00:01")))).data.clone).toEqual({
    reads: [
      { ...sent, at: instant, zone_id: null, rssi: null },
      { ...sent, at: instant, zone_id: "zon_1", rssi: -50.5 },
    ],
    travel_seconds: 300,
  });
});

test("each status of an alert gives a message of its own", () => {
  expect(new Set(examples.map((message) => JSON.parse(messageBody(message)).id)).size).toBe(examples.length);
});
