import { describe, expect, test } from "vitest";
import { chooseCodes, choosePage } from "./choose-page.ts";
import type { AssetFact, MovementFact, ScanFact } from "./facts.ts";
import { emptyTally, figuresOf } from "./figures.ts";
import { needsResolution } from "./finding.ts";
import { type AssetCase, judgeAsset } from "./judge-asset.ts";
import { judgeCode } from "./judge-code.ts";
import { judgeCodePage } from "./judge-page.ts";
import { judgeAgain, mergeFindings, type PreviousRow } from "./merge-findings.ts";

const at = (ms: number) => new Date(ms);
const scan = (locationId: string, ms: number, fields: Partial<ScanFact> = {}): ScanFact => ({
  ...{ id: `scn_${ms}`, key: "c", locationId, deviceId: "sled" },
  ...{ at: at(ms), receivedAt: at(ms) },
  ...fields,
});
const asset = (fields: Partial<AssetFact> = {}): AssetFact => ({
  ...{ assetId: "ast_1", gone: false, lost: false, inScope: true, locationId: "room" },
  ...{ movements: [], checkouts: [] },
  ...fields,
});
const move = (ms: number, fromLocationId: string, toLocationId: string, own = false): MovementFact => ({
  ...{ at: at(ms), fromLocationId, toLocationId, own },
});
const expected = { assetId: "ast_1", locationId: "room" };
const judge = (input: Partial<AssetCase>) =>
  judgeAsset({ asset: asset(), scans: [], until: at(100), ...input });
const finding = (input: Partial<AssetCase>) => judge(input).finding;

describe("the kind of an asset's variance", () => {
  test("expected and in place is found, and needs no resolution", () => {
    const found = finding({ expected, scans: [scan("room", 10)] });
    expect(found).toMatchObject({ subject: "asset:ast_1", kind: "found", reason: undefined });
    expect(found && needsResolution(found)).toBe(false);
  });

  test("a shelf inside the scanned room is another location, so the asset is misplaced", () => {
    const onShelf = { expected: { ...expected, locationId: "shelf" }, asset: asset({ locationId: "shelf" }) };
    const inRoom = { ...onShelf, scans: [scan("room", 10)] };
    expect(finding(inRoom)).toMatchObject({ kind: "misplaced", effectiveLocationId: "room" });
  });

  test("in place is the location of the expected set, or that of register when it was scanned", () => {
    const moved = asset({ locationId: "attic", movements: [move(20, "room", "attic")] });
    expect(finding({ asset: moved, expected, scans: [scan("room", 30)] })?.kind).toBe("found");
    expect(finding({ asset: moved, expected, scans: [scan("attic", 30)] })?.kind).toBe("found");
    expect(finding({ asset: moved, expected, scans: [scan("attic", 19)] })?.kind).toBe("misplaced");
  });

  test("two locations without a movement between them are a duplicate, also if the last one is in place", () => {
    const scans = [scan("room", 20), scan("attic", 10)];
    expect(finding({ expected, scans })).toMatchObject({ kind: "duplicate", effectiveLocationId: "room" });
  });

  test("a movement between two scans that ends at the later one's location explains them", () => {
    const movements = [move(15, "attic", "room")];
    const scans = [scan("attic", 10), scan("room", 20)];
    expect(finding({ asset: asset({ movements }), expected, scans })?.kind).toBe("found");
    const early = [move(9, "attic", "room")];
    expect(finding({ asset: asset({ movements: early }), expected, scans })?.kind).toBe("duplicate");
  });

  test("the effective location is that of the latest scan, then of the latest arrival, then of the highest id", () => {
    const same = { at: at(10), receivedAt: at(10) };
    const effective = (...scans: ScanFact[]) => finding({ expected, scans })?.effectiveLocationId;
    expect(effective(scan("b", 11), scan("a", 10, { receivedAt: at(99) }))).toBe("b");
    expect(effective(scan("b", 10, { receivedAt: at(12) }), scan("a", 10, { receivedAt: at(11) }))).toBe("b");
    expect(effective(scan("b", 10, { ...same, id: "scn_2" }), scan("a", 10, { ...same, id: "scn_1" }))).toBe(
      "b",
    );
  });

  test("not expected and in its own place is no variance", () => {
    expect(judge({ scans: [scan("room", 10)] })).toEqual({ excluded: false, scanned: true });
  });

  test("a lost asset needs a resolution in each kind", () => {
    const lost = asset({ lost: true });
    const kindOf = (scans: ScanFact[]) => finding({ asset: lost, scans });
    expect(kindOf([scan("room", 10)])).toMatchObject({ kind: "found", reason: "lost_asset" });
    expect(kindOf([scan("attic", 10)])).toMatchObject({ kind: "misplaced", reason: "lost_asset" });
    const twice = kindOf([scan("attic", 10), scan("room", 20)]);
    expect(twice).toMatchObject({ kind: "duplicate", reason: "lost_asset" });
    expect(twice && needsResolution(twice)).toBe(true);
  });

  test("expected and not scanned is missing, also if it was lost since", () => {
    expect(finding({ expected })).toMatchObject({ kind: "missing", reason: undefined });
    expect(finding({ expected, asset: asset({ lost: true }) })).toMatchObject({ kind: "missing" });
  });

  test("a missing asset that is checked out at the recorded time names the checkout", () => {
    const checkouts = [
      { id: "chk_1", issuedAt: at(1), returnedAt: at(2) },
      { id: "chk_2", issuedAt: at(3), returnedAt: at(101) },
    ];
    const missing = finding({ expected, asset: asset({ checkouts }) });
    expect(missing).toMatchObject({ reason: "checked_out", checkoutId: "chk_2" });
  });

  test("a checkout is open from the instant of its issue to the instant of its return", () => {
    const reasonOf = (issuedAt: Date, returnedAt?: Date) =>
      finding({ expected, asset: asset({ checkouts: [{ id: "chk_1", issuedAt, returnedAt }] }) })?.reason;
    expect(reasonOf(at(100))).toBe("checked_out");
    expect(reasonOf(at(101))).toBeUndefined();
    expect(reasonOf(at(1), at(101))).toBe("checked_out");
    expect(reasonOf(at(1), at(100))).toBeUndefined();
  });

  test("the expected location is that of the frozen set, though register has another one since", () => {
    const moved = asset({ locationId: "attic", movements: [move(5, "room", "attic")] });
    const where = (input: Partial<AssetCase>) => finding({ asset: moved, ...input })?.expectedLocationId;
    expect(where({ expected, scans: [scan("cellar", 10)] })).toBe("room");
    expect(where({ expected, scans: [scan("attic", 10)] })).toBe("room");
    expect(where({ expected })).toBe("room");
    expect(where({ expected: { assetId: "ast_1" }, scans: [scan("cellar", 10)] })).toBeUndefined();
    // Not expected: where register had it when it was scanned.
    expect(where({ scans: [scan("cellar", 10)] })).toBe("attic");
    expect(where({ scans: [scan("cellar", 4)] })).toBe("room");
  });

  test("an asset that is gone is excluded, scanned or not; one that left the scope only if it was not scanned", () => {
    const gone = asset({ gone: true, inScope: false });
    const excluded = { excluded: true, scanned: false };
    expect(judge({ expected, asset: gone })).toEqual(excluded);
    expect(judge({ expected, asset: gone, scans: [scan("room", 10)] })).toEqual(excluded);
    const outside = asset({ inScope: false });
    expect(judge({ expected, asset: outside })).toEqual(excluded);
    expect(finding({ expected, asset: outside, scans: [scan("room", 10)] })?.kind).toBe("found");
  });
});

test("all texts of a tag without an asset are one variance, seen where the last of them was scanned", () => {
  const texts = ["code:3034", "epc:3034", "epc:urn:epc:raw:16.x3034"];
  const codes = texts.map((key) => ({ key, canonical: "epc:3034" }));
  const scans = texts.map((key, index) => scan(`room ${index}`, 10 + index, { key }));
  const { changes, tagsScanned } = judgeCodePage([...codes, { key: "c", canonical: "code:c" }], scans, []);
  expect(tagsScanned).toBe(2);
  expect(changes).toMatchObject([
    { action: "insert", judged: { finding: { subject: "epc:3034", effectiveLocationId: "room 2" } } },
  ]);
});

test("a code without an asset is unregistered, and names an asset that is gone", () => {
  const scans = [scan("room", 10), scan("attic", 20)];
  expect(judgeCode({ canonical: "c", scans })?.finding).toMatchObject({
    ...{ subject: "c", kind: "unregistered", reason: undefined, effectiveLocationId: "attic" },
  });
  const gone = judgeCode({ canonical: "c", scans, gone: { assetId: "ast_9", deleted: true } });
  expect(gone?.finding).toMatchObject({ reason: "deleted_asset", assetId: "ast_9" });
});

describe("reconciling again", () => {
  const row = (fields: Partial<PreviousRow> = {}): PreviousRow => ({
    ...{ subject: "asset:ast_1", kind: "misplaced", assetId: "ast_1", effectiveLocationId: "attic" },
    ...{ expectedLocationId: "room", status: "unresolved", obsolete: false },
    ...fields,
  });
  const misplaced = judge({ expected, scans: [scan("attic", 10)] });
  const judgedAs = ({ finding, seen }: typeof misplaced) => (finding ? [{ finding, seen }] : []);
  const ignored = { status: "resolved", resolution: "ignored" } as const;

  test("an unchanged row keeps its resolution", () => {
    const [change] = mergeFindings([row(ignored)], judgedAs(misplaced));
    expect(change).toMatchObject({ action: "keep", row: ignored });
  });

  test("a changed row is opened again", () => {
    const [change] = mergeFindings(
      [row(ignored)],
      judgedAs(judge({ expected, scans: [scan("cellar", 11)] })),
    );
    expect(change).toMatchObject({ action: "reopen", status: "unresolved" });
  });

  test("a row that is no longer found goes, unless somebody resolved it", () => {
    expect(mergeFindings([row()], [])).toMatchObject([{ action: "remove" }]);
    expect(mergeFindings([row({ kind: "found", status: "resolved" })], [])).toMatchObject([
      { action: "remove" },
    ]);
    expect(mergeFindings([row(ignored)], [])).toMatchObject([{ action: "make_obsolete" }]);
    expect(mergeFindings([row({ ...ignored, obsolete: true })], [])).toEqual([]);
  });

  test("an obsolete row that is found again is opened again", () => {
    const [change] = mergeFindings([row({ ...ignored, obsolete: true })], judgedAs(misplaced));
    expect(change).toMatchObject({ action: "reopen", status: "unresolved" });
  });

  test("a lost asset that was confirmed and is lost again is opened again", () => {
    const input = { expected, scans: [scan("room", 10)], until: at(100) };
    const before = row({
      ...{ kind: "found", reason: "lost_asset", effectiveLocationId: "room" },
      ...{ status: "resolved", resolution: "confirmed_moved" },
    });
    const again = judgeAgain({ ...input, asset: asset({ lost: true }) }, before);
    expect(again).toMatchObject({ finding: { kind: "found", reason: "lost_asset" }, reopen: true });
    const usual = judgeAgain({ ...input, asset: asset() }, before);
    expect(usual).toMatchObject({ finding: { kind: "found", reason: "lost_asset" }, reopen: false });
  });
});

describe("figures", () => {
  test("4 expected, 3 scanned, 2 in place: 0.75 and 0.5", () => {
    const tally = { ...emptyTally, expectedScanned: 3, foundInPlace: 2 };
    expect(figuresOf(4, tally)).toEqual({ coverage: 0.75, accuracy: 0.5 });
  });

  test("excluded assets are not counted, and without any there are no figures", () => {
    const tally = { ...emptyTally, excluded: 1, expectedScanned: 1, foundInPlace: 1 };
    expect(figuresOf(4, tally)).toEqual({ coverage: 0.3333, accuracy: 0.3333 });
    expect(figuresOf(1, tally)).toEqual({ coverage: undefined, accuracy: undefined });
  });
});

describe("a page", () => {
  const limits = { assets: 3, scans: 10 };
  const code = (assetId: string, scans = 1) => ({ assetId, scans });

  test("contains the assets of both lists up to the end of the shorter one", () => {
    const ahead = { expectedIds: ["a", "c", "z"], moreExpected: false, codes: [code("b"), code("d")] };
    expect(choosePage({ ...ahead, moreCodes: true }, limits)).toEqual({
      ...{ assetIds: ["a", "b", "c"], last: false },
    });
    expect(choosePage({ ...ahead, moreCodes: false }, { ...limits, assets: 9 })).toEqual({
      ...{ assetIds: ["a", "b", "c", "d", "z"], last: true },
    });
  });

  test("stops before the asset with too many scans, and contains it alone", () => {
    const ahead = { expectedIds: [], moreExpected: false, moreCodes: false };
    const codes = [code("a", 5), code("b", 99), code("c")];
    expect(choosePage({ ...ahead, codes }, limits).assetIds).toEqual(["a"]);
    expect(choosePage({ ...ahead, codes: codes.slice(1) }, limits)).toEqual({ assetIds: ["b"], last: false });
  });

  test("is empty if the codes of its first asset were not all read", () => {
    const ahead = { expectedIds: ["b"], moreExpected: true, codes: [code("a"), code("a")], moreCodes: true };
    expect(choosePage(ahead, limits)).toEqual({ assetIds: [], last: false });
  });
});

describe("a page of codes", () => {
  const codes = ["a", "b", "b"].map((canonical) => ({ canonical }));

  test("leaves out the last form of an unfinished list, which may have further codes", () => {
    expect(chooseCodes(codes, true)).toEqual({ codes: codes.slice(0, 1), last: false });
    expect(chooseCodes(codes, false)).toEqual({ codes, last: true });
    expect(chooseCodes([], false)).toEqual({ codes: [], last: true });
  });

  test("is empty if the codes of its first form were not all read", () => {
    expect(chooseCodes(codes.slice(1), true)).toEqual({ codes: [], last: false });
  });
});
