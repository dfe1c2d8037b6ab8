import { eventually } from "@asset-register/harness";
import { ReaderStatus } from "@asset-register/proto/assetregister/tagging_ingest/v1/reader_pb";
import { codeOf } from "@asset-register/service-harness";
import { describe, expect, it } from "vitest";
import { sharedTagging } from "../support.ts";
import { type TestReader, testReader } from "../test-reader.ts";
import type { Workspace } from "../test-workspace.ts";

const tagging = await sharedTagging();

const LOST = "PRECONDITION_FAILED";

const read = async (id: string, { admin }: Workspace) =>
  (await tagging.readers.getReader({ id }, admin)).reader!;

/** Whether an event that was signed with a secret is accepted. */
async function isAccepted(reader: TestReader) {
  const [result] = await tagging.sendEvents(reader.signedEvent());
  return result?.error === undefined;
}

describe("If-Match of a zone", () => {
  async function newZone() {
    const workspace = tagging.newWorkspace();
    const locations = ["loc_1", "loc_2", "loc_3"];
    workspace.addLocations(...locations);
    const id = await workspace.newZone();
    const set = (locationId: string, ifRevIn: number[], as: object = workspace.admin) =>
      tagging.zones.setZoneLocations({ id, locationIds: [locationId], ifRevIn }, as);
    const stored = async () => (await tagging.zones.listZones({}, workspace.admin)).zones[0];
    return { id, locations, set, stored, workspace };
  }

  it("concurrent changes at the same rev: one succeeds, the others get PRECONDITION_FAILED", async () => {
    const { locations, set, stored } = await newZone();
    const codes = await Promise.all(locations.map((id) => codeOf(set(id, [1]))));
    expect(codes.toSorted()).toEqual([LOST, LOST, undefined]);
    expect(await stored()).toMatchObject({ rev: 2, locationIds: [locations[codes.indexOf(undefined)]] });
  });

  it("a change at another rev is refused; in another workspace the zone is not found at any rev", async () => {
    const { set, stored } = await newZone();
    for (const other of [[0], [2], [3, 4]]) expect(await codeOf(set("loc_1", other))).toBe(LOST);
    expect(await stored()).toMatchObject({ rev: 1, locationIds: [] });
    const stranger = tagging.newWorkspace();
    stranger.addLocations("loc_1");
    for (const rev of [1, 9]) expect(await codeOf(set("loc_1", [rev], stranger.admin))).toBe("NOT_FOUND");
    expect((await set("loc_1", [4, 1])).zone).toMatchObject({ rev: 2, locationIds: ["loc_1"] });
  });
});

describe("If-Match of a reader", () => {
  it("concurrent rotations at the same rev: one succeeds, the others get PRECONDITION_FAILED", async () => {
    const workspace = tagging.newWorkspace();
    const reader = await workspace.newReader();
    const { id } = reader;
    const rotate = () =>
      tagging.readers.rotateReaderSecret({ id, overlapSeconds: 0, ifRevIn: [1] }, workspace.admin);
    const answers = await Promise.allSettled([rotate(), rotate(), rotate()]);
    const made = answers.flatMap((answer) => (answer.status === "fulfilled" ? [answer.value] : []));
    expect(made).toHaveLength(1);
    for (const answer of answers) {
      if (answer.status === "rejected") expect(answer.reason).toMatchObject({ code: LOST });
    }
    expect(await read(id, workspace)).toMatchObject({ rev: 2 });
    expect(await isAccepted(testReader(workspace.id, { id, secret: made[0]!.secret }))).toBe(true);
    expect(await isAccepted(reader)).toBe(false);
  });

  it("a concurrent rotation and revocation at the same rev: only one succeeds", async () => {
    const workspace = tagging.newWorkspace();
    const { id } = await workspace.newReader();
    const at = { id, ifRevIn: [1] };
    const [rotated, revoked] = await Promise.all([
      codeOf(tagging.readers.rotateReaderSecret(at, workspace.admin)),
      codeOf(tagging.readers.revokeReader(at, workspace.admin)),
    ]);
    expect([rotated, revoked].toSorted()).toEqual([LOST, undefined]);
    const status = revoked === undefined ? ReaderStatus.REVOKED : ReaderStatus.ACTIVE;
    expect(await read(id, workspace)).toMatchObject({ rev: 2, status });
  });

  it("liveness does not change the rev: a reader that was heard can be revoked at the rev that was read", async () => {
    const workspace = tagging.newWorkspace();
    const reader = await workspace.newReader();
    const { id } = reader;
    expect(await isAccepted(reader)).toBe(true);
    await eventually(async () => expect((await read(id, workspace)).lastSeenAt).toBeDefined());
    const revoke = (ifRevIn: number[], { admin } = workspace) =>
      codeOf(tagging.readers.revokeReader({ id, ifRevIn }, admin));
    for (const other of [[0], [2]]) expect(await revoke(other)).toBe(LOST);
    for (const rev of [1, 9]) expect(await revoke([rev], tagging.newWorkspace())).toBe("NOT_FOUND");
    expect(await read(id, workspace)).toMatchObject({ rev: 1, status: ReaderStatus.ACTIVE });
    expect(await revoke([1])).toBeUndefined();
    // Also a call that would change nothing is checked.
    expect(await revoke([1])).toBe(LOST);
  });

  it("a rotation again with the same Idempotency-Key returns the same secret, although the rev has changed", async () => {
    const workspace = tagging.newWorkspace();
    const { id } = await workspace.newReader();
    const keyed = { ...workspace.admin, idempotencyKey: "rotate-once" };
    const first = await tagging.readers.rotateReaderSecret({ id, ifRevIn: [1] }, keyed);
    await tagging.readers.rotateReaderSecret({ id, ifRevIn: [2] }, workspace.admin);
    expect(await tagging.readers.rotateReaderSecret({ id, ifRevIn: [1] }, keyed)).toEqual(first);
    expect(await read(id, workspace)).toMatchObject({ rev: 3 });
  });
});
