import { eventually } from "@asset-register/harness";
import { ReaderStatus } from "@asset-register/proto/assetregister/tagging_ingest/v1/reader_pb";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  failure,
  newEpc,
  newReader,
  newWorkspace,
  signedEvent,
  startTagging,
  type Tagging,
  type Workspace,
} from "./support.ts";

let tagging: Tagging;
beforeAll(async () => {
  tagging = await startTagging();
});
afterAll(() => tagging.stop());

const LOST = "PRECONDITION_FAILED";
const codeOf = async (call: Promise<unknown>) => (await failure(call))?.code;

const read = async (id: string, { caller }: Workspace) =>
  (await tagging.readers.getReader({ id }, caller)).reader!;

/** Whether what a reader signs with a secret is taken. */
async function isTaken(workspace: Workspace, reader: { id: string; secret: string }) {
  const events = [signedEvent(workspace, reader, newEpc(), new Date())];
  const { results } = await tagging.ingest.ingestSignedEvents({ events });
  return results[0]?.error === undefined;
}

describe("a zone", () => {
  async function newZone() {
    const workspace = newWorkspace();
    const locations = ["loc_1", "loc_2", "loc_3"];
    for (const id of locations) tagging.register.locations.add(`${workspace.id}:${id}`);
    const { zone } = await tagging.zones.createZone({ name: "Hall" }, workspace.caller);
    const id = zone!.id;
    const set = (locationId: string, ifRevIn: number[], as: object = workspace.caller) =>
      tagging.zones.setZoneLocations({ id, locationIds: [locationId], ifRevIn }, as);
    const stored = async () => (await tagging.zones.listZones({}, workspace.caller)).zones[0];
    return { id, locations, set, stored, workspace };
  }

  it("gets the locations of one of several at once that read the same", async () => {
    const { locations, set, stored } = await newZone();
    const codes = await Promise.all(locations.map((id) => codeOf(set(id, [1n]))));
    expect(codes.toSorted()).toEqual([LOST, LOST, undefined]);
    expect(await stored()).toMatchObject({ rev: 2n, locationIds: [locations[codes.indexOf(undefined)]] });
  });

  it("stays as it is at another rev, and is not found elsewhere at whatever rev", async () => {
    const { set, stored } = await newZone();
    for (const other of [[0n], [2n], [3n, 4n]]) expect(await codeOf(set("loc_1", other))).toBe(LOST);
    expect(await stored()).toMatchObject({ rev: 1n, locationIds: [] });
    const stranger = newWorkspace();
    tagging.register.locations.add(`${stranger.id}:loc_1`);
    for (const rev of [1n, 9n]) expect(await codeOf(set("loc_1", [rev], stranger.caller))).toBe("NOT_FOUND");
    expect((await set("loc_1", [4n, 1n])).zone).toMatchObject({ rev: 2n, locationIds: ["loc_1"] });
  });
});

describe("a reader", () => {
  it("has one new secret when several at once rotate the one that they know", async () => {
    const workspace = newWorkspace();
    const { id, secret } = await newReader(tagging, workspace);
    const rotate = () =>
      tagging.readers.rotateReaderSecret({ id, overlapSeconds: 0, ifRevIn: [1n] }, workspace.caller);
    const answers = await Promise.allSettled([rotate(), rotate(), rotate()]);
    const made = answers.flatMap((answer) => (answer.status === "fulfilled" ? [answer.value] : []));
    expect(made).toHaveLength(1);
    for (const answer of answers) {
      if (answer.status === "rejected") expect(answer.reason).toMatchObject({ code: LOST });
    }
    expect(await read(id, workspace)).toMatchObject({ rev: 2n });
    expect(await isTaken(workspace, { id, secret: made[0]!.secret })).toBe(true);
    expect(await isTaken(workspace, { id, secret })).toBe(false);
  });

  it("is rotated or revoked, not both, by two that read the same", async () => {
    const workspace = newWorkspace();
    const { id } = await newReader(tagging, workspace);
    const at = { id, ifRevIn: [1n] };
    const [rotated, revoked] = await Promise.all([
      codeOf(tagging.readers.rotateReaderSecret(at, workspace.caller)),
      codeOf(tagging.readers.revokeReader(at, workspace.caller)),
    ]);
    expect([rotated, revoked].toSorted()).toEqual([LOST, undefined]);
    const status = revoked === undefined ? ReaderStatus.REVOKED : ReaderStatus.ACTIVE;
    expect(await read(id, workspace)).toMatchObject({ rev: 2n, status });
  });

  it("is changed at its rev although it was heard meanwhile, at no other, and nowhere else", async () => {
    const workspace = newWorkspace();
    const reader = await newReader(tagging, workspace);
    const { id } = reader;
    expect(await isTaken(workspace, reader)).toBe(true);
    await eventually(async () => expect((await read(id, workspace)).lastSeenAt).toBeDefined());
    const revoke = (ifRevIn: number[], { caller } = workspace) =>
      codeOf(tagging.readers.revokeReader({ id, ifRevIn }, caller));
    for (const other of [[0n], [2n]]) expect(await revoke(other)).toBe(LOST);
    for (const rev of [1n, 9n]) expect(await revoke([rev], newWorkspace())).toBe("NOT_FOUND");
    expect(await read(id, workspace)).toMatchObject({ rev: 1n, status: ReaderStatus.ACTIVE });
    expect(await revoke([1n])).toBeUndefined();
    // What would change nothing is no exception.
    expect(await revoke([1n])).toBe(LOST);
  });

  it("shows the same secret again under one Idempotency-Key, although the rev has moved on", async () => {
    const workspace = newWorkspace();
    const { id } = await newReader(tagging, workspace);
    const keyed = { ...workspace.caller, idempotencyKey: "rotate-once" };
    const first = await tagging.readers.rotateReaderSecret({ id, ifRevIn: [1n] }, keyed);
    await tagging.readers.rotateReaderSecret({ id, ifRevIn: [2n] }, workspace.caller);
    expect(await tagging.readers.rotateReaderSecret({ id, ifRevIn: [1n] }, keyed)).toEqual(first);
    expect(await read(id, workspace)).toMatchObject({ rev: 3n });
  });
});
