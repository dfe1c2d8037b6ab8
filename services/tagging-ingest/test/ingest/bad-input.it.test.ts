import { IngestStatus } from "@asset-register/proto/assetregister/tagging_ingest/v1/ingest_pb";
import { describe, expect, it } from "vitest";
import { sharedTagging } from "../support.ts";
import { newEpc, type SignedBatch } from "../test-reader.ts";

const { ACCEPTED } = IngestStatus;
const tagging = await sharedTagging();
const workspace = tagging.newWorkspace();
const reader = await workspace.newReader();

const now = () => Date.now();
const minutes = (count: number) => new Date(Date.now() + count * 60_000);
const events = (count: number) => Array.from({ length: count }, () => ({ epc: newEpc(), ts: now() }));

describe("a signed request that is wrong as a whole", () => {
  const wrong: [string, () => SignedBatch, string, string?][] = [
    ["1,001 events", () => reader.signedBatch(events(1_001)), "VALIDATION_FAILED", "events"],
    ["another field", () => reader.signedBody('{"events":[],"more":1}'), "VALIDATION_FAILED", "more"],
    ["a list", () => reader.signedBody("[]"), "VALIDATION_FAILED", ""],
    ["no JSON", () => reader.signedBody('{"events":'), "MALFORMED"],
    ["no UTF-8", () => reader.signedBody(Buffer.from([0x22, 0xff, 0x22])), "MALFORMED"],
    ["a name twice", () => reader.signedBody('{"events":[],"events":[]}'), "MALFORMED"],
    [
      "a name twice in an event",
      () => reader.signedBody(`{"events":[{"epc":"3034","ts":${now()},"epc":"3035"}]}`),
      "MALFORMED",
    ],
    ["over 1 MiB", () => reader.signedBody(`{"events":[]}${" ".repeat(2 ** 20)}`), "PAYLOAD_TOO_LARGE"],
    [
      "a clock that is 6 minutes behind",
      () => reader.signedBatch([], { at: minutes(-6) }),
      "READER_TIMESTAMP_OUT_OF_RANGE",
    ],
    [
      "a clock that is 6 minutes ahead",
      () => reader.signedBatch([], { at: minutes(6) }),
      "READER_TIMESTAMP_OUT_OF_RANGE",
    ],
    [
      "a huge timestamp",
      () => reader.signedBatch([], { at: new Date(8_640_000_000_000_000) }),
      "READER_TIMESTAMP_OUT_OF_RANGE",
    ],
    [
      "a nonce of 65 characters",
      () => reader.signedBatch([], { nonce: "n".repeat(65) }),
      "VALIDATION_FAILED",
      "X-Reader-Nonce",
    ],
    [
      "a nonce with a space",
      () => reader.signedBatch([], { nonce: "a b" }),
      "VALIDATION_FAILED",
      "X-Reader-Nonce",
    ],
  ];
  it.each(wrong)("%s has its code and field, and a right request follows", async (_, make, code, field) => {
    const answer = await tagging.sendBatch(make());
    expect(answer?.error?.code).toBe(code);
    expect(answer?.error?.violations.map((violation) => violation.field)).toEqual(
      field === undefined ? [] : [field],
    );
    expect(await tagging.sendBatch(reader.signedBatch(events(1)))).toMatchObject({
      results: [{ status: ACCEPTED }],
    });
  });

  it("a nonce that was refused with a wrong body can be used with the right one", async () => {
    const nonce = "again";
    expect((await tagging.sendBatch(reader.signedBody("{", { nonce })))?.error?.code).toBe("MALFORMED");
    expect((await tagging.sendBatch(reader.signedBatch(events(1), { nonce })))?.results[0]?.status).toBe(
      ACCEPTED,
    );
    expect((await tagging.sendBatch(reader.signedBatch(events(1), { nonce })))?.error?.code).toBe(
      "NONCE_REUSED",
    );
  });

  it("two bodies with one nonce at once: one is accepted, the other is NONCE_REUSED", async () => {
    const batches = [events(1), events(1)].map((list) => reader.signedBatch(list, { nonce: "once" }));
    const answers = await Promise.all(batches.map(tagging.sendBatch));
    const codes = answers.map((answer) => answer?.error?.code ?? answer?.results[0]?.status);
    expect(codes).toContain("NONCE_REUSED");
    expect(codes).toContain(ACCEPTED);
  });
});

describe("an event that is wrong", () => {
  const eight = 8 * 86_400_000;
  const wrong: [string, () => object, string, string][] = [
    ["odd hex digits", () => ({ epc: "30340", ts: now() }), "VALIDATION_FAILED", "epc"],
    ["hex that is no whole word", () => ({ epc: "303435", ts: now() }), "VALIDATION_FAILED", "epc"],
    ["an EPC of 128 digits", () => ({ epc: "0".repeat(128), ts: now() }), "VALIDATION_FAILED", "epc"],
    ["an unknown URI", () => ({ epc: "urn:epc:id:gid:1.2.3", ts: now() }), "VALIDATION_FAILED", "epc"],
    ["a number as EPC", () => ({ epc: 3034, ts: now() }), "VALIDATION_FAILED", "epc"],
    ["a time without a zone", () => ({ epc: "3034", ts: "2026-01-01T00:00:00" }), "VALIDATION_FAILED", "ts"],
    ["a huge number as time", () => ({ epc: "3034", ts: 2 ** 53 }), "VALIDATION_FAILED", "ts"],
    ["a huge count", () => ({ epc: "3034", ts: now(), count: 1e300 }), "VALIDATION_FAILED", "count"],
    ["a huge antenna", () => ({ epc: "3034", ts: now(), antenna: 65_536 }), "VALIDATION_FAILED", "antenna"],
    ["a huge rssi", () => ({ epc: "3034", ts: now(), rssi: 1e18 }), "VALIDATION_FAILED", "rssi"],
    ["an operator", () => ({ epc: { $ne: 1 }, ts: now() }), "VALIDATION_FAILED", "epc"],
    [
      "a time of 8 days ago",
      () => ({ epc: "3034", ts: now() - eight }),
      "READER_TIMESTAMP_OUT_OF_RANGE",
      "ts",
    ],
    ["a time ahead", () => ({ epc: "3034", ts: now() + 360_000 }), "READER_TIMESTAMP_OUT_OF_RANGE", "ts"],
  ];
  it("has its code and field; the others of its request are accepted", async () => {
    const right = { epc: newEpc(), ts: now() };
    const answer = await tagging.sendBatch(reader.signedBatch([...wrong.map(([, make]) => make()), right]));
    for (const [index, [name, , code, field]] of wrong.entries()) {
      const { error } = answer?.results[index] ?? {};
      const fields = error?.violations.map((violation) => violation.field);
      expect([name, error?.code, fields]).toEqual([name, code, [`events.${index}.${field}`]]);
    }
    expect(answer?.results.at(-1)?.status).toBe(ACCEPTED);
  });

  it("with a signature of its own has the same codes; a tag with an unknown header is accepted", async () => {
    const signed = (epc: string, ts: Date | string) => reader.signedEvent(epc, ts);
    const cases = [
      [signed("30340", minutes(0)), "VALIDATION_FAILED", ["epc"]],
      [signed("303435", minutes(0)), "VALIDATION_FAILED", ["epc"]],
      [signed("3034", "9".repeat(30)), "VALIDATION_FAILED", ["ts"]],
      [signed("3034", "2026-01-01T00:00:00"), "VALIDATION_FAILED", ["ts"]],
      [signed("3034", minutes(-6)), "READER_TIMESTAMP_OUT_OF_RANGE", []],
      [signed("3034", minutes(6)), "READER_TIMESTAMP_OUT_OF_RANGE", []],
      [signed("FF00".padEnd(24, "0"), minutes(0)), undefined, undefined],
    ] as const;
    const results = await tagging.sendEvents(...cases.map(([event]) => event));
    for (const [index, [, code, fields]] of cases.entries()) {
      const { error } = results[index] ?? {};
      expect([index, error?.code, error?.violations.map(({ field }) => field)]).toEqual([
        index,
        code,
        fields,
      ]);
    }
  });

  it("an unknown header and an impossible partition are raw codes, each a tag of its own", async () => {
    const raw = ["FF00".padEnd(24, "0"), "301C257BF7194E4000001A85", "3034"];
    const answer = await tagging.sendBatch(reader.signedBatch(raw.map((epc) => ({ epc, ts: now() }))));
    expect(answer?.results.map(({ status }) => status)).toEqual(raw.map(() => ACCEPTED));
  });
});
