import {
  SightingChange,
  SightingDirectoryService,
} from "@asset-register/proto/assetregister/tagging_ingest/v1/sighting_pb";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { expect, it } from "vitest";
import { readAll } from "../read-all.ts";
import { readsAreStored } from "../stored-reads.ts";
import { sharedTagging } from "../support.ts";
import { newEpc } from "../test-reader.ts";

const tagging = await sharedTagging();
const directory = tagging.client(SightingDirectoryService, "notification");

const DAY_MS = 86_400_000;

it("another service reads all sightings of a workspace in a time, each once on any size of page: by day, then by subject", async () => {
  const [workspace, foreign] = [tagging.newWorkspace(), tagging.newWorkspace()];
  const [gate, other] = [await workspace.newGate(["loc_a"]), await foreign.newGate(["loc_a"])];
  const [first, second] = [await workspace.taggedAsset(), await workspace.taggedAsset()];
  const unknown = newEpc();
  const at = (Math.floor(Date.now() / DAY_MS) - 3) * DAY_MS + DAY_MS / 2;
  // Read days ago, so each is a sighting of its own.
  const times = [at, at + 3_600_000, at + DAY_MS];
  const epcs = [first.epc, second.epc, unknown];
  for (const epc of epcs) {
    await tagging.inject(
      times.map((time, index) => ({ ...gate.acceptedEvent(epc, time), id: `evt_${epc}_${index}` })),
    );
  }
  await tagging.inject([other.acceptedEvent(newEpc(), at)]);
  await readsAreStored(tagging, workspace, 9);
  await readsAreStored(tagging, foreign, 1);
  const read = (limit: number, from: number, to: number) =>
    readAll(limit, async ({ cursor }) => {
      const { sightings: items, nextCursor } = await directory.listSightings({
        ...{ workspaceId: workspace.id, from: timestampFromMs(from), to: timestampFromMs(to), limit },
        ...(cursor !== undefined && { cursor }),
      });
      return { items, nextCursor };
    });
  const all = (await read(1_000, at, at + DAY_MS + 1)).flat();
  const subjects = [first.assetId, second.assetId, unknown].sort();
  const keyOf = (one: (typeof all)[number]) => `${one.assetId ?? one.sighting!.epc}`;
  expect(all.map(keyOf)).toEqual([...subjects.flatMap((one) => [one, one]), ...subjects]);
  for (const { assetId, sighting } of all) {
    expect(sighting!.change === SightingChange.UNSPECIFIED).toBe(assetId === undefined);
  }
  for (const limit of [1, 2, 4]) {
    const pages = await read(limit, at, at + DAY_MS + 1);
    expect(pages.flat()).toEqual(all);
    expect(Math.max(...pages.map((page) => page.length))).toBe(limit);
  }
  // The end is not included.
  expect((await read(1_000, at, at + 3_600_000)).flat()).toHaveLength(3);
  expect((await read(1_000, at + 2 * DAY_MS, at + 3 * DAY_MS)).flat()).toEqual([]);
});
