import { newId } from "@asset-register/runtime";
import { expect, test } from "vitest";
import { sharedTagging } from "../support.ts";
import type { Workspace } from "../test-workspace.ts";

const tagging = await sharedTagging();

const MANY = 400;
/** The default deadline of a call. */
const DEADLINE_MS = 5_000;
/** The longest deadline that a server accepts. */
const LONGEST_MS = 30_000;

/** A workspace with as many copies of a reader. */
async function fleet(workspace: Workspace): Promise<string[]> {
  const { id } = await workspace.newReader();
  const readers = tagging.mongo.collection<{ _id: string; workspaceId: string }>("readers");
  const original = await readers.findOne({ workspaceId: workspace.id, _id: id });
  if (!original) throw new Error("the reader was not stored");
  const copies = Array.from({ length: MANY }, () => ({ ...original, _id: newId("rdr") }));
  await readers.insertMany(copies);
  return copies.map(({ _id }) => _id);
}

/** The zones of a workspace by name, with the number of readers in their list and of readers that name them. */
async function zonesOf({ id: workspaceId, admin }: Workspace) {
  const { zones } = await tagging.zones.listZones({}, admin);
  const readers = tagging.mongo.collection<{ _id: string; workspaceId: string; zoneId: string }>("readers");
  return Promise.all(
    zones.map(async ({ id, name, readerIds }) => ({
      name,
      listed: readerIds.length,
      inside: await readers.countDocuments({ workspaceId, zoneId: id }),
    })),
  );
}

test(`a zone with ${MANY} readers is created within the default deadline, and one that is late leaves nothing`, async () => {
  const workspace = tagging.newWorkspace();
  workspace.addLocations("loc_1");
  const readerIds = await fleet(workspace);
  const create = (name: string, deadlineMs: number) =>
    tagging.zones.createZone({ name, locationIds: ["loc_1"], readerIds }, { ...workspace.admin, deadlineMs });
  const from = performance.now();
  await create("first", DEADLINE_MS);
  const created = ["first"];

  /** Halves the time until it is too short on this machine. */
  async function findTooShort(longest: number) {
    for (let ms = longest; ; ms /= 2) {
      const name = `in ${ms} ms`;
      const error = await create(name, ms).then(
        () => void created.push(name),
        (reason: unknown) => reason,
      );
      if (error !== undefined) return { name, ms, error };
    }
  }
  // Its commit may have begun just in time, and its answer came too late. So only a much shorter time leaves nothing.
  const edge = await findTooShort((performance.now() - from) / 2);
  const late = await findTooShort(edge.ms / 4);
  for (const { error } of [edge, late]) expect(error).toMatchObject({ kind: "unavailable" });
  // It waits for a running transaction, because that changes the same readers.
  await create("last", LONGEST_MS);
  const zones = await zonesOf(workspace);
  const empty = (name: string) => ({ name, listed: 0, inside: 0 });
  expect(zones.filter(({ name }) => name !== edge.name)).toEqual([
    ...created.map(empty),
    { name: "last", listed: MANY, inside: MANY },
  ]);
  for (const zone of zones.filter(({ name }) => name === edge.name)) expect(zone).toEqual(empty(edge.name));
});
