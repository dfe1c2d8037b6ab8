import { newId } from "@asset-register/runtime";
import { afterAll, expect, test } from "vitest";
import { newReader, newWorkspace, startTagging, type Workspace } from "./support.ts";

const tagging = await startTagging();
afterAll(() => tagging.stop());

const MANY = 400;
/** The default deadline of a call. */
const DEADLINE_MS = 5_000;

/** A workspace with as many copies of a reader. */
async function fleet(workspace: Workspace): Promise<string[]> {
  const { id } = await newReader(tagging, workspace);
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
  const workspace = newWorkspace();
  tagging.register.locations.add(workspace.id, "loc_1");
  const readerIds = await fleet(workspace);
  const create = (name: string, deadlineMs: number) =>
    tagging.zones.createZone({ name, locationIds: ["loc_1"], readerIds }, { ...workspace.admin, deadlineMs });
  const from = performance.now();
  await create("first", DEADLINE_MS);
  const created = ["first"];

  // The time is halved until it is too short on this machine.
  let error: unknown;
  for (let ms = (performance.now() - from) / 2; error === undefined; ms /= 2) {
    const name = `in ${ms} ms`;
    error = await create(name, ms).then(
      () => void created.push(name),
      (reason: unknown) => reason,
    );
  }
  expect(error).toMatchObject({ kind: "unavailable" });
  // It waits for a transaction that goes on, because it changes the same readers.
  await create("last", 2 * DEADLINE_MS);
  expect(await zonesOf(workspace)).toEqual([
    ...created.map((name) => ({ name, listed: 0, inside: 0 })),
    { name: "last", listed: MANY, inside: MANY },
  ]);
});
