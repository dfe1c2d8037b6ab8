import { eventually } from "@asset-register/harness";
import {
  AddScanStatus,
  type ScanInputSchema,
  ScanMethod,
  ScanService,
} from "@asset-register/proto/assetregister/stocktake/v1/scan_pb";
import { newId } from "@asset-register/runtime";
import { failure } from "@asset-register/service-harness";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { afterAll, expect, test } from "vitest";
import { newWorkspace, sessionCalls, startStocktake } from "./support.ts";

type Input = MessageInitShape<typeof ScanInputSchema>;

const stocktake = await startStocktake();
const { register, scans, mongo } = stocktake;
/** The same service in another process: uploads to both conflict in the database. */
const otherScans = stocktake.client(ScanService, "gateway", await stocktake.start());
afterAll(() => stocktake.stop());

const HOUR_MS = 3_600_000;
const agoMs = (ms: number) => new Date(Date.now() - ms).toISOString();

/** An open session, and calls about its scans. */
async function setUp() {
  const workspace = await newWorkspace(stocktake);
  const calls = sessionCalls(stocktake, workspace);
  register.setScope(workspace.id, 1);
  const { id: sessionId } = await calls.create();
  await calls.openFully(sessionId);
  const locationId = register.locations.add(workspace.id, newId("loc"));
  const base = { locationId, method: "qr", deviceId: "d1", scannedAt: agoMs(HOUR_MS) };
  const add = async (inputs: Input[], via = scans) => {
    const { results } = await via.addScans({ sessionId, scans: inputs }, workspace.auditor);
    return results.map(({ status, id, error }) => ({ status: AddScanStatus[status], id, code: error?.code }));
  };
  return {
    ...calls,
    ...{ workspace, sessionId, locationId, base, add },
    /** Only what became of each scan. */
    upload: async (inputs: Input[], via = scans) =>
      (await add(inputs, via)).map(({ status, code }) => code ?? status),
    codes: (count: number, prefix = "AR"): Input[] =>
      Array.from({ length: count }, (_, index) => ({ ...base, code: `${prefix}-${index}` })),
    stored: () => mongo.collection("scans").countDocuments({ workspaceId: workspace.id, sessionId }),
    counters: async () => {
      const { scans: accepted, scanSeq, rev } = await calls.read(sessionId);
      return { accepted, scanSeq, rev };
    },
  };
}

test("scans are answered one by one, in order; the good ones are stored and can be listed", async () => {
  const { workspace, sessionId, locationId, base, add, counters } = await setUp();
  const results = await add([
    { ...base, code: " AR-1 " },
    { ...base },
    { ...base, code: "AR-2", epc: "ABCD" },
    { ...base, epc: "abcd", method: "rfid" },
    { ...base, code: "AR-1" },
    { ...base, code: "AR-3", locationId: newId("loc") },
    { ...base, code: "AR-3", scannedAt: "yesterday" },
    { ...base, code: "AR-3", scannedAt: agoMs(-HOUR_MS) },
    { ...base, code: "AR-3", scannedAt: agoMs(31 * 24 * HOUR_MS) },
    { ...base, code: "AR-3", method: "smell" },
    { ...base, epc: "XYZ" },
    { ...base, code: "AR-3", invalidFields: ["colour"] },
  ]);
  expect(results.map(({ status, code }) => code ?? status)).toEqual([
    ...["ACCEPTED", "TAG_AMBIGUOUS", "TAG_AMBIGUOUS", "ACCEPTED", "REPLAYED"],
    ...["LOCATION_UNKNOWN", "SCANNED_AT_INVALID", "SCANNED_AT_IN_FUTURE", "SCANNED_AT_TOO_OLD"],
    ...["SCAN_INVALID", "SCAN_INVALID", "SCAN_INVALID"],
  ]);
  expect(results[4]?.id).toBe(results[0]?.id);
  expect(await counters()).toEqual({ accepted: 2, scanSeq: 1, rev: 3 });
  const listed = await scans.listScans({ sessionId }, workspace.viewer);
  expect(listed.page?.total).toBe(2);
  expect(listed.scans).toMatchObject([
    { id: results[0]?.id, code: " AR-1 ", locationId, method: ScanMethod.QR, deviceId: "d1", seq: 1 },
    { id: results[3]?.id, epc: "abcd", method: ScanMethod.RFID, seq: 1 },
  ]);
});

test("rejected scans are counted by code, in uploads that add nothing too; they make nothing stale and raise no rev", async () => {
  const { workspace, sessionId, base, upload, codes, read, cancel } = await setUp();
  expect((await read(sessionId)).rejected).toEqual({});
  const elsewhere = { ...base, code: "AR-3", locationId: newId("loc") };
  await upload([...codes(2), elsewhere, { ...base }]);
  expect((await read(sessionId)).rejected).toEqual({ LOCATION_UNKNOWN: 1, TAG_AMBIGUOUS: 1 });
  await upload([...codes(2), elsewhere], otherScans);
  await upload([{ ...base, epc: "XYZ" }]);
  const counted = { LOCATION_UNKNOWN: 2, TAG_AMBIGUOUS: 1, SCAN_INVALID: 1 };
  expect(await read(sessionId)).toMatchObject({ rejected: counted, scans: 2, scanSeq: 1, rev: 3 });
  const old = { sessionId, scans: [elsewhere], ifRevIn: [2] };
  expect(await failure(scans.addScans(old, workspace.auditor))).toMatchObject({
    code: "PRECONDITION_FAILED",
  });
  await cancel(sessionId);
  expect(await failure(upload([elsewhere]))).toMatchObject({ code: "STOCKTAKE_STATE" });
  expect((await read(sessionId)).rejected).toEqual(counted);
});

test("the same upload again is replayed with the same ids, and makes nothing stale", async () => {
  const { add, codes, counters } = await setUp();
  const first = await add(codes(20));
  const before = await counters();
  expect(before).toEqual({ accepted: 20, scanSeq: 1, rev: 3 });
  const again = await add(codes(20));
  expect(again).toEqual(first.map(({ id }) => ({ status: "REPLAYED", id, code: undefined })));
  expect(await counters()).toEqual(before);
  // A part of it is new.
  expect((await add(codes(21))).map(({ status }) => status)).toEqual([
    ...Array(20).fill("REPLAYED"),
    "ACCEPTED",
  ]);
  expect(await counters()).toEqual({ accepted: 21, scanSeq: 2, rev: 3 });
});

test("the same upload several times at once, to two processes: each scan is accepted once", async () => {
  const { upload, codes, stored, counters } = await setUp();
  const all = await Promise.all(
    Array.from({ length: 6 }, (_, index) => upload(codes(100), index % 2 === 0 ? scans : otherScans)),
  );
  const accepted = all.flat().filter((status) => status === "ACCEPTED");
  expect([accepted.length, all.flat().length]).toEqual([100, 600]);
  expect(await stored()).toBe(100);
  expect(await counters()).toEqual({ accepted: 100, scanSeq: 1, rev: 3 });
});

test("several counters at once on one session, in two processes: every scan is counted, and each upload has its own seq", async () => {
  const { workspace, sessionId, add, codes, stored, counters } = await setUp();
  const devices = Array.from({ length: 4 }, (_, device) => async () => {
    for (let round = 0; round < 5; round += 1) {
      const scansOf = codes(50, `R${round}`).map((scan) => ({ ...scan, deviceId: `device ${device}` }));
      for (const { status } of await add(scansOf, device % 2 === 0 ? scans : otherScans))
        expect(status).toBe("ACCEPTED");
    }
  });
  await Promise.all(devices.map((run) => run()));
  expect(await stored()).toBe(1_000);
  expect(await counters()).toEqual({ accepted: 1_000, scanSeq: 20, rev: 3 });
  const pages = [];
  let cursor: string | undefined;
  do {
    const page = cursor === undefined ? { limit: 150, page: 1 } : { limit: 150, cursor };
    const answer = await scans.listScans({ sessionId, page }, workspace.viewer);
    pages.push(...answer.scans);
    cursor = answer.page?.nextCursor;
  } while (cursor !== undefined);
  expect(pages.map(({ seq }) => seq)).toEqual(
    Array.from({ length: 1_000 }, (_, index) => 1 + Math.floor(index / 50)),
  );
  expect(new Set(pages.map(({ id }) => id)).size).toBe(1_000);
});

test("uploads days late, and devices with wrong clocks: accepted from 30 days before the opening to 5 minutes ahead", async () => {
  const { upload, base, codes } = await setUp();
  const at = (ms: number, code: string): Input => ({ ...base, code, scannedAt: agoMs(ms) });
  const DAY_MS = 24 * HOUR_MS;
  expect(
    await upload([
      at(3 * DAY_MS, "late"),
      at(29.9 * DAY_MS, "clock behind"),
      at(30.1 * DAY_MS, "clock far behind"),
      at(-4 * 60_000, "clock ahead"),
      at(-6 * 60_000, "clock far ahead"),
      { ...base, code: "offset", scannedAt: agoMs(HOUR_MS).replace("Z", "+00:00") },
    ]),
  ).toEqual(["ACCEPTED", "ACCEPTED", "SCANNED_AT_TOO_OLD", "ACCEPTED", "SCANNED_AT_IN_FUTURE", "ACCEPTED"]);
  // The clock that jumps back gives other times, so it is no repeat.
  expect(await upload(codes(1))).toEqual(["ACCEPTED"]);
  expect(await upload([{ ...codes(1)[0], scannedAt: agoMs(2 * HOUR_MS) }])).toEqual(["ACCEPTED"]);
});

test("1 to 1000 scans: none and more than 1000 are refused as a whole, 1000 are accepted", async () => {
  const { upload, codes, counters } = await setUp();
  const refused = { code: "VALIDATION_FAILED", violations: [{ field: "scans" }] };
  expect(await failure(upload([]))).toMatchObject(refused);
  expect(await failure(upload(codes(1_001)))).toMatchObject(refused);
  expect(await counters()).toEqual({ accepted: 0, scanSeq: 0, rev: 3 });
  expect(new Set(await upload(codes(1_000)))).toEqual(new Set(["ACCEPTED"]));
  expect(await counters()).toEqual({ accepted: 1_000, scanSeq: 1, rev: 3 });
});

test("scans against cancel: an upload is stored completely before it, or refused with STOCKTAKE_STATE", async () => {
  const { sessionId, upload, codes, cancel, stored, counters } = await setUp();
  const uploads = Array.from({ length: 8 }, (_, index) =>
    upload(codes(50, `U${index}`), index % 2 === 0 ? scans : otherScans),
  );
  const [cancelled, ...answers] = await Promise.allSettled([cancel(sessionId), ...uploads]);
  expect(cancelled.status).toBe("fulfilled");
  const refused = answers.filter((answer) => answer.status === "rejected");
  for (const { reason } of refused) expect(reason).toMatchObject({ code: "STOCKTAKE_STATE" });
  const accepted = 50 * (answers.length - refused.length);
  expect(await stored()).toBe(accepted);
  expect(await counters()).toMatchObject({ accepted, rev: 4 });
  expect(await failure(upload(codes(1)))).toMatchObject({ code: "STOCKTAKE_STATE" });
});

test("a repeat with the same Idempotency-Key answers the first results, not replayed ones", async () => {
  const { workspace, sessionId, codes } = await setUp();
  const keyed = { ...workspace.auditor, idempotencyKey: "POST /stocktake/sessions/scans again" };
  const request = { sessionId, scans: codes(3) };
  const first = await scans.addScans(request, keyed);
  expect(first.results.map(({ status }) => status)).toEqual(Array(3).fill(AddScanStatus.ACCEPTED));
  expect(await scans.addScans(request, keyed)).toEqual(first);
  await eventually(async () =>
    expect((await scans.addScans(request, workspace.auditor)).results[0]?.status).toBe(
      AddScanStatus.REPLAYED,
    ),
  );
});
