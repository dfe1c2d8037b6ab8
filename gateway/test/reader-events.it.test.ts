import {
  type IngestResultSchema,
  IngestService,
} from "@asset-register/proto/assetregister/tagging_ingest/v1/ingest_pb";
import { serving } from "@asset-register/service-harness";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { afterAll, beforeEach, expect, test } from "vitest";
import { startGateway } from "./gateway.ts";

const event = (epc: string) => ({ reader_id: "rdr_1", epc, ts: 1, signature: "0".repeat(64) });

const UNCHECKED = "FFFF";
const OVER_QUOTA = "EEEE";
const BAD = "DDDD";
const notValid = {
  kind: "invalid",
  code: "VALIDATION_FAILED",
  message: "Not valid",
  violations: [{ field: "epc", message: "must be hex" }],
};
const errors = new Map<string, NonNullable<MessageInitShape<typeof IngestResultSchema>["error"]>>([
  [BAD, notValid],
  [UNCHECKED, { kind: "unavailable", code: "UNAVAILABLE", message: "Unavailable", retryAfterMs: 2_000 }],
  [OVER_QUOTA, { kind: "exhausted", code: "RATE_LIMITED", message: "Too many", retryAfterMs: 3_000 }],
]);
const resultOf = (epc: string) => {
  const error = errors.get(epc);
  return error === undefined ? { status: 1, eventId: "evt_1" } : { status: 3, error };
};

let calls: { epcs: string[]; oneRequest: boolean }[] = [];

const ingest = serving(IngestService, {
  ingestSignedEvents: ({ events, oneRequest }) => {
    calls.push({ epcs: events.map(({ epc }) => epc), oneRequest });
    return { results: events.map(({ epc }) => resultOf(epc)) };
  },
});
const gateway = await startGateway({ implementations: [ingest] });
afterAll(() => gateway?.stop());
beforeEach(() => {
  calls = [];
});

const post = (path: string, body: unknown) =>
  gateway.surfaceA(gateway.accounts.apiKey("reader-events:write")).call("POST", path, body);

test("the events of a batch are sent with oneRequest, so that the reader's rate limit counts one request", async () => {
  const answer = await post("/reader-events/batch", { events: [event("0001"), event("0002")] });
  expect(answer).toMatchObject({ status: 202, body: { data: { results: [{ index: 0 }, { index: 1 }] } } });
  expect(calls).toEqual([{ epcs: ["0001", "0002"], oneRequest: true }]);
});

test("a rejected event of a batch names its fields, and the other events are accepted", async () => {
  const answer = await post("/reader-events/batch", { events: [event("0001"), event(BAD)] });
  const { code, message, violations } = notValid;
  const rejected = { index: 1, status: "rejected", code, message, errors: violations };
  expect(answer.body).toMatchObject({ data: { results: [{ index: 0, status: "accepted" }, rejected] } });
});

test("a batch with an event that can't be checked now is 503 as a whole, because repeating it is safe", async () => {
  const answer = await post("/reader-events/batch", { events: [event("0001"), event(UNCHECKED)] });
  expect(answer).toMatchObject({ status: 503, body: { code: "UNAVAILABLE" } });
  expect(answer.headers.get("retry-after")).toBe("2");
});

test("a batch over the quota of its workspace is 429 as a whole", async () => {
  const answer = await post("/reader-events/batch", { events: [event(OVER_QUOTA), event(OVER_QUOTA)] });
  expect(answer).toMatchObject({ status: 429, body: { code: "RATE_LIMITED" } });
  expect(answer.headers.get("retry-after")).toBe("3");
});

test("events of separate requests may share an RPC, and are sent without oneRequest", async () => {
  const answers = await Promise.all(["0001", "0002"].map((epc) => post("/reader-events", event(epc))));
  expect(answers.map(({ status }) => status)).toEqual([202, 202]);
  expect(calls.flatMap(({ epcs }) => epcs).sort()).toEqual(["0001", "0002"]);
  expect(calls.map(({ oneRequest }) => oneRequest)).not.toContain(true);
});
