import { codeOf } from "@asset-register/service-harness";
import { expect, test } from "vitest";
import { inShort, newCount, Resolution, SessionStatus } from "./count.ts";
import { sharedCounting } from "./platform.ts";

const counting = await sharedCounting();
const { calls } = counting;

test("4 expected, 3 scanned, 2 in place: coverage 0.75 and accuracy 0.5, by a user with audit and view only", async () => {
  const { assets, place, scan, session, variances, auditor } = await newCount(counting);
  const [room, attic] = [await place("Room"), await place("Attic")];
  const [a, b, c, d] = [
    await assets.make("A", room),
    await assets.make("B", room),
    await assets.make("C", room),
    await assets.make("D", room),
  ];
  const id = await session.open();
  await scan(id, room, "A", "B");
  await scan(id, attic, "C", "nobody's");
  const done = await session.reconcile(id);
  expect(done).toMatchObject({
    ...{ status: SessionStatus.RECONCILED, expected: 4, excluded: 0, scans: 4, tagsScanned: 4 },
    ...{ coverage: 0.75, accuracy: 0.5, unresolved: 3, unexpectedInPlace: 0, stale: false },
    ...{ reconciledSeq: 2, scanSeq: 2 },
  });
  expect(done.progress).toMatchObject({ done: 8, total: 8 });
  expect(inShort(await variances.of(id, a))).toBe("found resolved");
  expect(inShort(await variances.of(id, b))).toBe("found resolved");
  expect(await variances.of(id, c)).toMatchObject({
    ...{ assetName: "C", code: "C", deviceId: "sled-1", rev: 1 },
    ...{ expectedLocationId: room, expectedLocationName: "Room" },
    ...{ effectiveLocationId: attic, effectiveLocationName: "Attic" },
  });
  expect(inShort(await variances.of(id, d))).toBe("missing unresolved");
  expect(inShort(await variances.of(id, "nobody's"))).toBe("unregistered unresolved");
  const expected = await calls.sessions.listExpectedAssets({ sessionId: id }, auditor);
  const scanned = expected.assets.filter((row) => row.scanned).map(({ assetId }) => assetId);
  expect(scanned.sort()).toEqual([a, b, c].sort());
});

test("reconciling twice without new input is identical; confirmed rows stay as they are, too", async () => {
  const { assets, place, scan, session, variances } = await newCount(counting);
  const [room, attic] = [await place("Room"), await place("Attic")];
  const moved = await assets.make("A", room);
  const missing = await assets.make("B", room);
  const id = await session.open();
  await scan(id, attic, "A", "X");
  const first = await session.reconcile(id);
  const rows = await variances.list(id);
  const second = await session.reconcile(id);
  expect(await variances.list(id)).toEqual(rows);
  const figures = ({ rev: _, reconciledAt: __, ...rest }: typeof first) => rest;
  expect(figures(second)).toEqual(figures(first));

  await variances.resolve((await variances.of(id, moved)).id, Resolution.CONFIRMED_MOVED);
  await variances.resolve((await variances.of(id, missing)).id, Resolution.WRITTEN_OFF);
  const resolved = await variances.list(id);
  const third = await session.reconcile(id);
  expect(await variances.list(id)).toEqual(resolved);
  expect(third).toMatchObject({ unresolved: 1, accuracy: first.accuracy, coverage: first.coverage });
});

test("a tag that was freed or bound again a moment before reconcile counts as it is now", async () => {
  const { admin, assets, place, scan, session, variances } = await newCount(counting);
  const room = await place("Room");
  const [a, b] = [await assets.make("A", room), await assets.make("B", room)];
  const id = await session.open();
  await scan(id, room, "A", "B", "fresh");
  const free = async (assetId: string) => {
    const { tags } = await calls.tags.listTags({ assetId }, admin);
    await calls.tags.decommissionTag({ id: tags[0]?.id ?? "" }, admin);
  };
  const bind = (assetId: string, value: string) =>
    calls.tags.commissionTag({ assetId, identifier: { case: "code", value } }, admin);
  await free(a);
  await free(b);
  await bind(b, "A");
  await bind(a, "fresh");
  await session.reconcile(id);
  expect((await variances.of(id, b)).code).toBe("A");
  expect((await variances.of(id, a)).code).toBe("fresh");
  expect(inShort(await variances.of(id, "B"))).toBe("unregistered unresolved");
});

test("an EPC is found in each of its forms, sent as epc or as code; an unknown one is one variance", async () => {
  const { admin, assets, place, scan, session, variances } = await newCount(counting);
  const room = await place("Room");
  const a = await assets.make("A", room);
  const forms = ["3074257BF7194E4000001A85", "urn:epc:id:sgtin:0614141.812345.6789"];
  const [hex, uri] = forms;
  const unknown = ["3074257BF7194E4000001A86", "urn:epc:id:sgtin:0614141.812345.6790"];
  const identifier = { case: "epc", value: uri ?? "" } as const;
  await calls.tags.commissionTag({ identifier, assetId: a }, admin);
  const id = await session.open();
  await scan(id, room, hex ?? "");
  await scan(id, room, ...unknown, ...unknown.map((epc) => ({ epc, method: "rfid" })));
  expect(await session.reconcile(id)).toMatchObject({ tagsScanned: 2, coverage: 1, unresolved: 1 });
  expect((await variances.list(id)).map(inShort).sort()).toEqual([
    "found resolved",
    "unregistered unresolved",
  ]);
});

test("tags of disposed and deleted assets are unregistered with the reason, and the assets are excluded", async () => {
  const { admin, assets, place, scan, session, variances } = await newCount(counting);
  const room = await place("Room");
  const [a, b, c] = [
    await assets.make("A", room),
    await assets.make("B", room),
    await assets.make("C", room),
  ];
  const id = await session.open();
  await scan(id, room, "A", "B", "C");
  await assets.dispose(a);
  await calls.assets.deleteAsset({ id: b }, admin);
  const done = await session.reconcile(id);
  expect(done).toMatchObject({ expected: 3, excluded: 2, coverage: 1, accuracy: 1, unresolved: 2 });
  const rows = await variances.list(id);
  expect(rows.map(inShort).sort()).toEqual([
    "found resolved",
    "unregistered deleted_asset unresolved",
    "unregistered disposed_asset unresolved",
  ]);
  expect(await variances.of(id, a)).toMatchObject({ code: "A", assetName: "A" });
  expect((await variances.of(id, c)).code).toBe("C");
});

test("assets that moved since opening are judged by their movements, and leave the count if they left the scope", async () => {
  const { assets, place, scan, session, variances } = await newCount(counting);
  const [room, attic, cellar] = [await place("Room"), await place("Attic"), await place("Cellar")];
  const [away, carried, twice] = [
    await assets.make("A", room),
    await assets.make("B", room),
    await assets.make("C", room),
  ];
  const id = await session.open({ scopeType: 5, scopeId: room });
  await scan(id, room, "B", "C");
  await assets.move(away, attic);
  await assets.move(carried, attic);
  await scan(id, attic, "B");
  await scan(id, cellar, "C");
  const done = await session.reconcile(id);
  expect(done).toMatchObject({ expected: 3, excluded: 1, coverage: 1, accuracy: 0.5 });
  expect(inShort(await variances.of(id, carried))).toBe("found resolved");
  expect(inShort(await variances.of(id, twice))).toBe("duplicate unresolved");
  expect((await variances.list(id)).some(({ assetId }) => assetId === away)).toBe(false);
});

test("a scan after a reconcile makes the session stale, and the next one reopens what it changes", async () => {
  const { assets, place, scan, session, variances } = await newCount(counting);
  const [room, attic] = [await place("Room"), await place("Attic")];
  const a = await assets.make("A", room);
  const id = await session.open();
  await session.reconcile(id);
  const missing = await variances.of(id, a);
  await variances.resolve(missing.id, Resolution.IGNORED, { note: "on loan" });
  await scan(id, attic, "A", "X");
  expect(await session.read(id)).toMatchObject({ stale: true, unresolved: 0 });
  expect(await codeOf(session.close(id))).toBe("STOCKTAKE_STALE");
  await session.reconcile(id);
  const changed = await variances.of(id, a);
  expect(changed).toMatchObject({ id: missing.id, rev: missing.rev + 3 });
  expect(changed.note).toBeUndefined();
  expect(inShort(changed)).toBe("misplaced unresolved");
});

test("reconcile is refused in a draft, and a foreign session is missing", async () => {
  const { auditor } = await newCount(counting);
  const other = await newCount(counting);
  const draft = await calls.sessions.createSession({ session: { name: "Spring", scopeType: 1 } }, auditor);
  const id = draft.session?.id ?? "";
  expect(await codeOf(calls.reconcile.reconcileSession({ id }, auditor))).toBe("STOCKTAKE_STATE");
  expect(await codeOf(calls.reconcile.closeSession({ id }, auditor))).toBe("STOCKTAKE_STATE");
  expect(await codeOf(calls.reconcile.reconcileSession({ id }, other.auditor))).toBe("NOT_FOUND");
  const conditional = { id, ifRevIn: [7] };
  expect(await codeOf(calls.reconcile.reconcileSession(conditional, auditor))).toBe("PRECONDITION_FAILED");
});
