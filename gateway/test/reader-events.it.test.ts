import { IngestService } from "@asset-register/proto/assetregister/tagging_ingest/v1/ingest_pb";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { startGateway, type TestGateway } from "./gateway.ts";
import { serving } from "./upstreams.ts";

const event = (epc: string) => ({ reader_id: "rdr_1", epc, ts: 1, signature: "0".repeat(64) });

const UNAVAILABLE = "FFFF";
const resultOf = (epc: string) =>
  epc === UNAVAILABLE
    ? {
        status: 3,
        error: { kind: "unavailable", code: "UNAVAILABLE", message: "Unavailable.", retryAfterMs: 2_000 },
      }
    : { status: 1, eventId: "evt_1" };

let gateway: TestGateway;
let asked: { epcs: string[]; oneRequest: boolean }[] = [];

beforeAll(async () => {
  const ingest = serving(IngestService, {
    ingestSignedEvents: ({ events, oneRequest }) => {
      asked.push({ epcs: events.map(({ epc }) => epc), oneRequest });
      return { results: events.map(({ epc }) => resultOf(epc)) };
    },
  });
  gateway = await startGateway({ implementations: [ingest] });
});
afterAll(() => gateway?.stop());
beforeEach(() => {
  asked = [];
});

const post = (path: string, body: unknown) =>
  gateway.programs(gateway.accounts.apiKey("reader-events:write")).call("POST", path, body);

test("the events of a batch are sent as one request, because the limit of a reader counts requests", async () => {
  const answer = await post("/reader-events/batch", { events: [event("0001"), event("0002")] });
  expect(answer).toMatchObject({ status: 202, body: { data: { results: [{ index: 0 }, { index: 1 }] } } });
  expect(asked).toEqual([{ epcs: ["0001", "0002"], oneRequest: true }]);
});

test("a batch with an event whose reader can't be checked now is 503 as a whole, so that the client retries", async () => {
  const answer = await post("/reader-events/batch", { events: [event("0001"), event(UNAVAILABLE)] });
  expect(answer).toMatchObject({ status: 503, body: { code: "UNAVAILABLE" } });
  expect(answer.headers.get("retry-after")).toBe("2");
});

test("events of different requests may share a call, but are not sent as one request", async () => {
  const answers = await Promise.all(["0001", "0002"].map((epc) => post("/reader-events", event(epc))));
  expect(answers.map(({ status }) => status)).toEqual([202, 202]);
  expect(asked.flatMap(({ epcs }) => epcs).sort()).toEqual(["0001", "0002"]);
  expect(asked.map(({ oneRequest }) => oneRequest)).not.toContain(true);
});
