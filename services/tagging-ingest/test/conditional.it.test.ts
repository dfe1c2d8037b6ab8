import { eventually } from "@asset-register/harness";
import { ReaderStatus } from "@asset-register/proto/assetregister/tagging_ingest/v1/reader_pb";
import { codeOf } from "@asset-register/service-harness";
import { afterAll, describe, expect, it } from "vitest";
import { newEpc, newReader, newWorkspace, signedEvent, startTagging, type Workspace } from "./support.ts";

const tagging = await startTagging();
afterAll(() => tagging.stop());

const LOST = "PRECONDITION_FAILED";

const read = async (id: string, { admin }: Workspace) =>
  (await tagging.readers.getReader({ id }, admin)).reader!;

/** Whether an event that was signed with a secret is accepted. */
async function isAccepted(workspace: Workspace, reader: { id: string; secret: string }) {
  const events = [signedEvent(workspace, reader, newEpc(), new Date())];
  const { results } = await tagging.ingest.ingestSignedEvents({ events });
  return results[0]?.error === undefined;
}

describe("If-Match of a zone", () => {
  async function newZone() {
    const workspace = newWorkspace();
    const locations = ["loc_1", "loc_2", "loc_3"];
    for (const id of locations) tagging.register.locations.add(workspace.id, id);
    const { zone } = await tagging.zones.createZone({ name: "Hall" }, workspace.admin);
    const id = zone!.id;
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
    const stranger = newWorkspace();
    tagging.register.locations.add(stranger.id, "loc_1");
    for (const rev of [1, 9]) expect(await codeOf(set("loc_1", [rev], stranger.admin))).toBe("NOT_FOUND");
    expect((await set("loc_1", [4, 1])).zone).toMatchObject({ rev: 2, locationIds: ["loc_1"] });
  });
});

describe("If-Match of a reader", () => {
  it("concurrent rotations at the same rev: one succeeds, the others get PRECONDITION_FAILED", async () => {
    const workspace = newWorkspace();
    const { id, secret } = await newReader(tagging, workspace);
    const rotate = () =>
      tagging.readers.rotateReaderSecret({ id, overlapSeconds: 0, ifRevIn: [1] }, workspace.admin);
    const answers = await Promise.allSettled([rotate(), rotate(), rotate()]);
    const made = answers.flatMap((answer) => (answer.status === "fulfilled" ? [answer.value] : []));
    expect(made).toHaveLength(1);
    for (const answer of answers) {
      if (answer.status === "rejected") expect(answer.reason).toMatchObject({ code: LOST });
    }
    expect(await read(id, workspace)).toMatchObject({ rev: 2 });
    expect(await isAccepted(workspace, { id, secret: made[0]!.secret })).toBe(true);
    expect(await isAccepted(workspace, { id, secret })).toBe(false);
  });

  it("a concurrent rotation and revocation at the same rev: only one succeeds", async () => {
    const workspace = newWorkspace();
    const { id } = await newReader(tagging, workspace);
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
    const workspace = newWorkspace();
    const reader = await newReader(tagging, workspace);
    const { id } = reader;
    expect(await isAccepted(workspace, reader)).toBe(true);
    await eventually(async () => expect((await read(id, workspace)).lastSeenAt).toBeDefined());
    const revoke = (ifRevIn: number[], { admin } = workspace) =>
      codeOf(tagging.readers.revokeReader({ id, ifRevIn }, admin));
    for (const other of [[0], [2]]) expect(await revoke(other)).toBe(LOST);
    for (const rev of [1, 9]) expect(await revoke([rev], newWorkspace())).toBe("NOT_FOUND");
    expect(await read(id, workspace)).toMatchObject({ rev: 1, status: ReaderStatus.ACTIVE });
    expect(await revoke([1])).toBeUndefined();
    // Also a call that would change nothing is checked.
    expect(await revoke([1])).toBe(LOST);
  });

  it("a rotation again with the same Idempotency-Key returns the same secret, although the rev has changed", async () => {
    const workspace = newWorkspace();
    const { id } = await newReader(tagging, workspace);
    const keyed = { ...workspace.admin, idempotencyKey: "rotate-once" };
    const first = await tagging.readers.rotateReaderSecret({ id, ifRevIn: [1] }, keyed);
    await tagging.readers.rotateReaderSecret({ id, ifRevIn: [2] }, workspace.admin);
    expect(await tagging.readers.rotateReaderSecret({ id, ifRevIn: [1] }, keyed)).toEqual(first);
    expect(await read(id, workspace)).toMatchObject({ rev: 3 });
  });
});
