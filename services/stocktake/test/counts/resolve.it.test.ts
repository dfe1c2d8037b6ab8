import { eventually } from "@asset-register/harness";
import { IssuedToType } from "@asset-register/proto/assetregister/register/v1/asset_pb";
import { OrganisationKind } from "@asset-register/proto/assetregister/register/v1/organisation_pb";
import { caller, codeOf } from "@asset-register/service-harness";
import { expect, test } from "vitest";
import { inShort, newCount, Resolution } from "./count.ts";
import { sharedCounting } from "./platform.ts";

const counting = await sharedCounting();
const { calls, recorded } = counting;
const { CONFIRMED_MOVED, WRITTEN_OFF, IGNORED } = Resolution;

/** A reconciled session with a misplaced asset A, a missing asset B and a code X without an asset. */
async function reconciled() {
  const count = await newCount(counting);
  const { assets, place, scan, session, variances } = count;
  const [room, attic] = [await place("Room"), await place("Attic")];
  const [a, b] = [
    await assets.make("A", room, { cost: { minorUnits: 500n, currency: "EUR" } }),
    await assets.make("B", room, { cost: { minorUnits: 12_345n, currency: "EUR" } }),
  ];
  const id = await session.open();
  await scan(id, attic, "A", "X");
  await session.reconcile(id);
  const [misplaced, missing, unregistered] = [
    await variances.of(id, a),
    await variances.of(id, b),
    await variances.of(id, "X"),
  ];
  return { ...count, sessionId: id, room, attic, a, b, misplaced, missing, unregistered };
}

test("confirmed_moved moves the asset once, with the session as ref; written_off sets Lost; ignored does nothing", async () => {
  const { a, b, assets, attic, sessionId, misplaced, missing, unregistered, session, variances } =
    await reconciled();
  const before = await assets.movements(a);
  const confirmed = await variances.resolve(misplaced.id, CONFIRMED_MOVED, { note: "seen by me" });
  expect(inShort(confirmed)).toBe("misplaced resolved confirmed_moved");
  expect(confirmed).toMatchObject({ note: "seen by me", rev: misplaced.rev + 2 });
  expect(confirmed.resolvedBy?.id).toMatch(/^usr_/);
  expect(confirmed.resolvedAt).toBeDefined();
  const [made, ...others] = (await assets.movements(a)).slice(before.length);
  expect(others).toEqual([]);
  expect(made).toMatchObject({ toLocationId: attic, reason: "stock-take", ref: sessionId });
  expect(made?.at).toEqual(misplaced.lastScannedAt);
  expect(made?.by?.id).toBe(confirmed.resolvedBy?.id);

  await variances.resolve(missing.id, WRITTEN_OFF);
  expect(await assets.statusKey(b)).toBe("lost");
  await variances.resolve(unregistered.id, IGNORED);
  expect((await session.read(sessionId)).unresolved).toBe(0);

  const resolved = () =>
    recorded.stocktake.of(sessionId).filter(({ message }) => message?.change.case === "varianceResolved");
  await eventually(() => expect(resolved()).toHaveLength(3));
  expect(resolved()[0]?.message?.change.value).toMatchObject({
    ...{ varianceId: misplaced.id, assetId: a, assetRev: (await assets.read(a)).rev },
    resolution: CONFIRMED_MOVED,
  });
  const sequences = recorded.stocktake.of(sessionId).map(({ sequence }) => sequence);
  expect(sequences).toEqual(sequences.map((_, index) => index + 1));
});

test("the same resolution again is 200, after closing too; another is VARIANCE_RESOLVED, after closing STOCKTAKE_STATE", async () => {
  const { a, assets, misplaced, missing, unregistered, session, sessionId, variances } = await reconciled();
  const first = await variances.resolve(misplaced.id, CONFIRMED_MOVED);
  expect(await variances.resolve(misplaced.id, CONFIRMED_MOVED)).toEqual(first);
  expect(await codeOf(variances.resolve(misplaced.id, IGNORED))).toBe("VARIANCE_RESOLVED");
  expect(await codeOf(session.close(sessionId))).toBe("STOCKTAKE_UNRESOLVED");
  await variances.resolve(missing.id, IGNORED);
  await variances.resolve(unregistered.id, IGNORED);
  await session.close(sessionId);
  expect(await variances.resolve(misplaced.id, CONFIRMED_MOVED)).toEqual(first);
  expect(await codeOf(variances.resolve(misplaced.id, IGNORED))).toBe("STOCKTAKE_STATE");
  expect((await assets.movements(a)).filter(({ reason }) => reason === "stock-take")).toHaveLength(1);
});

test("a resolution for another kind, and of a row that needs none, is RESOLUTION_NOT_ALLOWED", async () => {
  const { assets, missing, misplaced, unregistered, room, scan, session, sessionId, variances } =
    await reconciled();
  const c = await assets.make("C", room);
  for (const [id, resolution] of [
    [missing.id, CONFIRMED_MOVED],
    [misplaced.id, WRITTEN_OFF],
    [unregistered.id, CONFIRMED_MOVED],
  ] as const) {
    expect(await codeOf(variances.resolve(id, resolution))).toBe("RESOLUTION_NOT_ALLOWED");
  }
  await scan(sessionId, room, "B", "C");
  await session.reconcile(sessionId);
  expect((await session.read(sessionId)).unexpectedInPlace).toBe(1);
  expect((await variances.list(sessionId)).some(({ assetId }) => assetId === c)).toBe(false);
  // B was missing before: the same row is found now.
  expect(await codeOf(variances.resolve(missing.id, IGNORED))).toBe("RESOLUTION_NOT_ALLOWED");
});

test("ASSET_DISPOSED is the answer, and sets the variance back", async () => {
  const { b, assets, missing, session, sessionId, variances } = await reconciled();
  await assets.dispose(b);
  expect(await codeOf(variances.resolve(missing.id, WRITTEN_OFF))).toBe("ASSET_DISPOSED");
  const after = await variances.of(sessionId, b);
  expect(inShort(after)).toBe("missing unresolved");
  expect(after.resolvedBy).toBeUndefined();
  expect((await session.read(sessionId)).unresolved).toBe(3);
});

test("a location that was deleted after the reconcile is CONFLICT, and sets the variance back", async () => {
  const { a, admin, attic, misplaced, sessionId, variances } = await reconciled();
  await calls.organisation.deleteRecord({ kind: OrganisationKind.LOCATION, id: attic }, admin);
  expect(await codeOf(variances.resolve(misplaced.id, CONFIRMED_MOVED))).toBe("CONFLICT");
  expect(inShort(await variances.of(sessionId, a))).toBe("misplaced unresolved");
});

test("a later movement elsewhere is ASSET_MOVED_SINCE; after a reconcile with the new scan the asset is confirmed once more", async () => {
  const { a, assets, attic, place, misplaced, scan, session, sessionId, variances } = await reconciled();
  const cellar = await place("Cellar");
  await assets.move(a, cellar);
  expect(await codeOf(variances.resolve(misplaced.id, CONFIRMED_MOVED))).toBe("ASSET_MOVED_SINCE");
  expect(inShort(await variances.of(sessionId, a))).toBe("misplaced unresolved");

  await scan(sessionId, attic, "A");
  await session.reconcile(sessionId);
  const again = await variances.of(sessionId, a);
  expect(again.id).toBe(misplaced.id);
  await variances.resolve(again.id, CONFIRMED_MOVED);
  expect((await assets.read(a)).locationId).toBe(attic);

  const loft = await place("Loft");
  await scan(sessionId, loft, "A");
  await session.reconcile(sessionId);
  const reopened = await variances.of(sessionId, a);
  expect(inShort(reopened)).toBe("duplicate unresolved");
  await variances.resolve(reopened.id, CONFIRMED_MOVED);
  expect((await assets.read(a)).locationId).toBe(loft);
  const own = (await assets.movements(a)).filter(({ reason }) => reason === "stock-take");
  expect(own.map(({ toLocationId }) => toLocationId)).toEqual([attic, loft]);
});

test("a missing asset that was moved, issued or counted since is ASSET_MOVED_SINCE, and keeps its status; after a reconcile it is lost", async () => {
  const { b, admin, assets, attic, room, missing, scan, session, sessionId, variances } = await reconciled();
  const lose = () => codeOf(variances.resolve(missing.id, WRITTEN_OFF));
  const status = await assets.statusKey(b);
  await assets.move(b, attic);
  expect(await lose()).toBe("ASSET_MOVED_SINCE");
  await session.reconcile(sessionId);
  const issue = { assetId: b, issuedToType: IssuedToType.EXTERNAL, issuedToName: "Acme" };
  await calls.custody.createCheckout(issue, admin);
  expect(await lose()).toBe("ASSET_MOVED_SINCE");
  await session.reconcile(sessionId);
  // Another session sees it where it is.
  const other = await session.open({ scopeType: 5, scopeId: attic });
  await scan(other, attic, "B");
  await session.reconcile(other);
  await session.close(other);
  await eventually(async () => expect((await session.read(other)).stamped?.done).toBe(1));
  expect(await lose()).toBe("ASSET_MOVED_SINCE");
  expect([await assets.statusKey(b), (await assets.read(b)).locationId === room]).toEqual([status, false]);
  await session.reconcile(sessionId);
  expect(await lose()).toBeUndefined();
  expect(await assets.statusKey(b)).toBe("lost");
  const { resolutions } = await variances.of(sessionId, b);
  expect(resolutions.map(({ code }) => code)).toEqual([...Array(3).fill("ASSET_MOVED_SINCE"), undefined]);
});

test("a device whose clock is ahead: the confirmed movement is dated when the scan arrived, so a later one counts", async () => {
  const { assets, place, scan, session, variances } = await newCount(counting);
  const [room, attic, cellar] = [await place("Room"), await place("Attic"), await place("Cellar")];
  const a = await assets.make("A", room);
  const id = await session.open();
  await scan(id, attic, { code: "A", scannedAt: new Date(Date.now() + 4 * 60_000).toISOString() });
  await session.reconcile(id);
  await variances.resolve((await variances.of(id, a)).id, CONFIRMED_MOVED);
  await assets.move(a, cellar);
  const movements = await assets.movements(a);
  expect(movements.map(({ toLocationId }) => toLocationId)).toEqual([attic, cellar]);
  const [confirmed, moved] = movements.map(({ at }) => Number(at?.seconds));
  expect(confirmed).toBeLessThanOrEqual(moved ?? 0);
  expect(moved).toBeLessThan(Date.now() / 1_000 + 60);
});

test("a lost asset that is confirmed gets its status back, and stays resolved when the session is reconciled again", async () => {
  const { assets, place, scan, session, variances } = await newCount(counting);
  const room = await place("Room");
  const a = await assets.make("A", room);
  await assets.make("B", room);
  await assets.setStatus(a, "in_use");
  await assets.setStatus(a, "lost");
  const id = await session.open();
  expect((await session.read(id)).expected).toBe(1);
  await scan(id, room, "A", "B");
  await session.reconcile(id);
  const found = await variances.of(id, a);
  expect(inShort(found)).toBe("found lost_asset unresolved");
  const resolved = await variances.resolve(found.id, CONFIRMED_MOVED);
  expect(await assets.statusKey(a)).toBe("in_use");
  await session.reconcile(id);
  expect(await variances.of(id, a)).toEqual(resolved);
});

test("two equal resolutions at once have one effect and one answer; of two different ones, one is VARIANCE_RESOLVED", async () => {
  const { a, assets, misplaced, missing, sessionId, session, variances } = await reconciled();
  const both = await Promise.all([
    variances.resolve(misplaced.id, CONFIRMED_MOVED),
    variances.resolve(misplaced.id, CONFIRMED_MOVED),
  ]);
  expect(both[0]).toEqual(both[1]);
  expect((await assets.movements(a)).filter(({ reason }) => reason === "stock-take")).toHaveLength(1);
  const codes = await Promise.all([
    codeOf(variances.resolve(missing.id, WRITTEN_OFF)),
    codeOf(variances.resolve(missing.id, IGNORED)),
  ]);
  expect(codes.sort()).toEqual(["VARIANCE_RESOLVED", undefined]);
  expect((await session.read(sessionId)).unresolved).toBe(1);
});

test("a repeat with the same Idempotency-Key answers the first outcome, an error too", async () => {
  const { a, auditor, assets, misplaced, place } = await reconciled();
  await assets.move(a, await place("Cellar"));
  const keyed = { ...auditor, idempotencyKey: "resolve-once" };
  const request = { id: misplaced.id, resolution: CONFIRMED_MOVED };
  expect(await codeOf(calls.variances.resolveVariance(request, keyed))).toBe("ASSET_MOVED_SINCE");
  expect(await codeOf(calls.variances.resolveVariance(request, keyed))).toBe("ASSET_MOVED_SINCE");
  const ignored = { ...auditor, idempotencyKey: "ignore-once" };
  const first = await calls.variances.resolveVariance({ ...request, resolution: IGNORED }, ignored);
  expect(await calls.variances.resolveVariance({ ...request, resolution: IGNORED }, ignored)).toEqual(first);
});

test("a variance is missing in other workspaces, refuses an old rev, and viewers may not resolve it", async () => {
  const { id: workspaceId, auditor, misplaced, sessionId } = await reconciled();
  const other = await newCount(counting);
  const request = { id: misplaced.id, resolution: IGNORED };
  expect(await codeOf(calls.variances.resolveVariance(request, other.auditor))).toBe("NOT_FOUND");
  expect(await codeOf(calls.variances.getVariance({ id: misplaced.id }, other.auditor))).toBe("NOT_FOUND");
  expect(await codeOf(calls.variances.listVariances({ sessionId }, other.auditor))).toBe("NOT_FOUND");
  const old = { ...request, ifRevIn: [misplaced.rev + 1] };
  expect(await codeOf(calls.variances.resolveVariance(old, auditor))).toBe("PRECONDITION_FAILED");
  const viewer = caller.user(workspaceId, "view");
  expect(await codeOf(calls.variances.resolveVariance(request, viewer))).toBe("FORBIDDEN");
  expect((await calls.variances.getVariance({ id: misplaced.id }, viewer)).variance?.id).toBe(misplaced.id);
});
