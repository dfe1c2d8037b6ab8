import { eventually } from "@asset-register/harness";
import { WorkspaceStatus } from "@asset-register/proto/assetregister/identity/v1/workspace_pb";
import { IngestStatus, ReaderState } from "@asset-register/proto/assetregister/tagging_ingest/v1/ingest_pb";
import { createKeyring } from "@asset-register/runtime";
import { failure, workspaceEvent } from "@asset-register/service-harness";
import { afterAll, describe, expect, it } from "vitest";
import { secretPlace } from "../../src/domain/ingest/reader-secret.ts";
import { startTagging } from "../support.ts";
import { newEpc, type SignedBatch, testReader } from "../test-reader.ts";

const { ACCEPTED, DUPLICATE, REJECTED } = IngestStatus;
const tagging = await startTagging();
afterAll(() => tagging.stop());

const { sendEvents, sendBatch } = tagging;
const inKafka = (epc: string) =>
  tagging.recorded.readerEvent.events.flatMap(({ message }) =>
    (message?.events ?? []).filter((event) => event.epc === epc),
  );

it("ResolveReaders answers the workspace of active readers only, in request order", async () => {
  const workspace = tagging.newWorkspace();
  const [active, revoked] = [await workspace.newReader(), await workspace.newReader()];
  await tagging.readers.revokeReader({ id: revoked.id }, workspace.admin);
  const readerIds = ["rdr_none", active.id, revoked.id, "x".repeat(500)];
  const { readers } = await tagging.ingest.resolveReaders({ readerIds });
  const { ACTIVE, REFUSED } = ReaderState;
  expect(readers.map(({ state }) => state)).toEqual([REFUSED, ACTIVE, REFUSED, REFUSED]);
  expect(readers.map(({ workspaceId }) => workspaceId)).toEqual([
    undefined,
    workspace.id,
    undefined,
    undefined,
  ]);
});

describe("events with a signature each", () => {
  it("an accepted event is in Kafka, and a repeat has the same id", async () => {
    const workspace = tagging.newWorkspace();
    const reader = await workspace.newReader();
    const epc = newEpc();
    const event = reader.signedEvent(epc);
    const [first] = await sendEvents(event);
    expect(first).toMatchObject({ status: ACCEPTED, eventId: expect.stringMatching(/^evt_/) });
    await eventually(async () => {
      const [again] = await sendEvents(event);
      expect(again).toMatchObject({ status: DUPLICATE, eventId: first?.eventId });
    });
    const [sent] = await eventually(() => {
      expect(inKafka(epc)).not.toHaveLength(0);
      return inKafka(epc);
    });
    expect(sent).toMatchObject({
      id: first?.eventId,
      workspaceId: workspace.id,
      readerId: reader.id,
      count: 1,
    });
  });

  it("concurrent repeats of one event: one is accepted, the others are duplicates", async () => {
    const workspace = tagging.newWorkspace();
    const reader = await workspace.newReader();
    const event = reader.signedEvent();
    const calls = Array.from({ length: 4 }, () => sendEvents(event, event));
    const statuses = (await Promise.all(calls)).flat().map(({ status }) => status);
    expect(statuses.sort()).toEqual([ACCEPTED, ...Array(7).fill(DUPLICATE)]);
  });

  it("an event that was changed, or is of an unknown reader or of another workspace, gets the same error", async () => {
    const [workspace, other] = [tagging.newWorkspace(), tagging.newWorkspace()];
    const reader = await workspace.newReader();
    const good = reader.signedEvent();
    const results = await sendEvents(
      { ...good, epc: newEpc() },
      { ...good, ts: new Date(Date.now() - 1_000).toISOString() },
      { ...good, signature: good.signature.toUpperCase() },
      { ...good, readerId: "rdr_none" },
      { ...good, workspaceId: other.id },
      good,
    );
    const refusal = { kind: "unauthenticated", code: "READER_SIGNATURE_INVALID" };
    for (const result of results.slice(0, 5))
      expect(result).toMatchObject({ status: REJECTED, error: refusal });
    expect(results[5]).toMatchObject({ status: ACCEPTED });
  });
});

describe("the secrets of a reader", () => {
  it("overlap after a rotation, and end immediately without an overlap and when revoked", async () => {
    const workspace = tagging.newWorkspace();
    const reader = await workspace.newReader();
    const statusWith = async (secret: string) => {
      const [result] = await sendEvents(testReader(workspace.id, { ...reader, secret }).signedEvent());
      return result?.error?.code ?? result?.status;
    };
    expect(await statusWith(reader.secret)).toBe(ACCEPTED);
    const second = await tagging.readers.rotateReaderSecret({ id: reader.id }, workspace.admin);
    expect(await statusWith(second.secret)).toBe(ACCEPTED);
    expect(await statusWith(reader.secret)).toBe(ACCEPTED);
    const third = await tagging.readers.rotateReaderSecret(
      { id: reader.id, overlapSeconds: 0 },
      workspace.admin,
    );
    expect(await statusWith(second.secret)).toBe("READER_SIGNATURE_INVALID");
    expect(await statusWith(reader.secret)).toBe("READER_SIGNATURE_INVALID");
    expect(await statusWith(third.secret)).toBe(ACCEPTED);
    await tagging.readers.revokeReader({ id: reader.id }, workspace.admin);
    expect(await statusWith(third.secret)).toBe("READER_SIGNATURE_INVALID");
    const rotated = tagging.readers.rotateReaderSecret({ id: reader.id }, workspace.admin);
    expect(await failure(rotated)).toMatchObject({ kind: "conflict" });
  });

  it("are refused when the workspace is disabled", async () => {
    const workspace = tagging.newWorkspace();
    const reader = await workspace.newReader();
    const send = () => sendEvents(reader.signedEvent());
    expect((await send())[0]?.status).toBe(ACCEPTED);
    await tagging.publish(workspaceEvent(workspace.id, 2, { status: WorkspaceStatus.DISABLED }));
    await eventually(async () => {
      expect((await send())[0]?.error?.code).toBe("READER_SIGNATURE_INVALID");
    });
  });
});

describe("requests with one signature", () => {
  it("each event has its own answer, in order, and the same nonce and body get the same answers", async () => {
    const workspace = tagging.newWorkspace();
    const reader = await workspace.newReader();
    const [first, second] = [newEpc(), newEpc()];
    const ts = Date.now();
    const events = [
      { epc: first, ts },
      { epc: first.toLowerCase(), ts },
      { epc: first, ts, antenna: 2, rssi: -50, count: 3 },
      { epc: "zz", ts },
      { epc: second, ts: ts - 8 * 86_400_000 },
      { epc: second, ts: ts - 3_600_000 },
    ];
    const batch = reader.signedBatch(events);
    const answer = await sendBatch(batch);
    expect(answer?.results.map(({ status, error }) => error?.code || status)).toEqual([
      ACCEPTED,
      DUPLICATE,
      ACCEPTED,
      "VALIDATION_FAILED",
      "READER_TIMESTAMP_OUT_OF_RANGE",
      ACCEPTED,
    ]);
    await eventually(async () => expect(await sendBatch(batch)).toEqual(answer));
    await eventually(() =>
      expect(inKafka(first).map(({ antenna, count }) => [antenna, count])).toEqual([
        [undefined, 1],
        [2, 3],
      ]),
    );
  });

  it("a valid request in one call with the worst requests of others gets its own answer", async () => {
    const workspace = tagging.newWorkspace();
    const reader = await workspace.newReader();
    const wrong = { epc: "", ts: "", antenna: "", rssi: "", count: "", a: 0, b: 0, c: 0, d: 0 };
    const worst = Array.from({ length: 1_000 }, () => wrong);
    const good = reader.signedBatch([{ epc: newEpc(), ts: Date.now() }]);
    const large = reader.signedBatch([{ ...wrong, more: "x".repeat(1_000_000) }]);
    const others = Array.from({ length: 14 }, () => reader.signedBatch(worst));
    const { batches } = await tagging.ingest.ingestSignedBatches({ batches: [...others, large, good] });
    expect(batches.map(({ results }) => results.length)).toEqual([...others.map(() => 1_000), 1, 1]);
    expect(batches.at(-1)?.results[0]?.status).toBe(ACCEPTED);
  });

  it("the events of a body that is signed again are duplicates", async () => {
    const workspace = tagging.newWorkspace();
    const reader = await workspace.newReader();
    const events = [{ epc: newEpc(), ts: Date.now() }];
    expect((await sendBatch(reader.signedBatch(events)))?.results[0]?.status).toBe(ACCEPTED);
    await eventually(async () => {
      expect((await sendBatch(reader.signedBatch(events)))?.results[0]?.status).toBe(DUPLICATE);
    });
  });

  it("a nonce with another body, a wrong signature, an old time and a malformed body are refused", async () => {
    const workspace = tagging.newWorkspace();
    const reader = await workspace.newReader();
    const events = [{ epc: newEpc(), ts: Date.now() }];
    const code = async (batch: SignedBatch) => (await sendBatch(batch))?.error?.code;
    expect(await code(reader.signedBatch(events, { nonce: "same" }))).toBeUndefined();
    expect(await code(reader.signedBatch([], { nonce: "same" }))).toBe("NONCE_REUSED");
    expect(await code({ ...reader.signedBatch(events), nonce: "other" })).toBe("READER_SIGNATURE_INVALID");
    expect(await code({ ...reader.signedBatch(events), readerId: "rdr_none" })).toBe(
      "READER_SIGNATURE_INVALID",
    );
    const old = reader.signedBatch(events, { at: new Date(Date.now() - 400_000) });
    expect(await code(old)).toBe("READER_TIMESTAMP_OUT_OF_RANGE");
    expect(await code(reader.signedBatch(Array.from({ length: 1001 }, () => events[0])))).toBe(
      "VALIDATION_FAILED",
    );
  });

  it("a request without events is a heartbeat: the reader is seen, which is published", async () => {
    const workspace = tagging.newWorkspace();
    const reader = await workspace.newReader();
    expect(await sendBatch(reader.signedBatch([]))).toMatchObject({ results: [] });
    await eventually(() => {
      expect(tagging.recorded.readerLiveness.of(reader.id)).toHaveLength(1);
    });
    const { reader: read } = await tagging.readers.getReader({ id: reader.id }, workspace.admin);
    expect(read?.lastSeenAt).toBeDefined();
    expect(read?.rev).toBe(1);
  });
});

it("the published vectors are accepted at their time", async () => {
  const atTheTime = await startTagging({ now: () => new Date("2026-01-01T00:00:00Z") });
  const workspace = atTheTime.newWorkspace();
  const secret = "rdsec_AgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgI";
  const sealed = createKeyring(atTheTime.config.KEYRING).encrypt(secret, secretPlace("rdr_1"));
  await atTheTime.mongo
    .collection<{ _id: string; workspaceId: string; [field: string]: unknown }>("readers")
    .insertOne({
      _id: "rdr_1",
      workspaceId: workspace.id,
      status: "active",
      ...{ accepted: 0, rejected: 0, secrets: [{ sealed }] },
      secretVersion: 1,
    });
  const results = await atTheTime.sendEvents({
    workspaceId: workspace.id,
    readerId: "rdr_1",
    epc: "303435FC8803D056D15B963F",
    ts: "2026-01-01T00:00:00.000Z",
    signature: "1e851ef68113ddb65514cdc01d3708a8071e86dbcd9db63a5a2bab52daf76dba",
  });
  expect(results).toMatchObject([{ status: ACCEPTED }]);
  const { error } = await atTheTime.sendBatch({
    readerId: "rdr_1",
    timestamp: "1767225600",
    nonce: "n-1",
    signature: "v1=15be882daaf0f0dd3db37302ed8f9b1723c5633e9338abf6df95d13726c0a4c4",
    body: Buffer.from('{"events":[]}'),
  });
  expect(error).toBeUndefined();
  await atTheTime.stop();
});
