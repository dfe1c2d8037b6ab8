import { eventually } from "@asset-register/harness";
import { ReadFilterAction } from "@asset-register/proto/assetregister/tagging_ingest/v1/reader_settings_pb";
import { failure } from "@asset-register/service-harness";
import { expect, it } from "vitest";
import { sharedTagging } from "../support.ts";
import { newEpc } from "../test-reader.ts";
import type { ReaderFields, Workspace } from "../test-workspace.ts";

const tagging = await sharedTagging();
const { ACCEPT, IGNORE } = ReadFilterAction;

type Filters = NonNullable<ReaderFields["filters"]>;
const setFilters = ({ admin }: Workspace, id: string, filters: Filters) =>
  tagging.readers.updateReader({ reader: { id, filters }, updateMask: { paths: ["filters"] } }, admin);

it("reads that a filter ignores are answered as accepted and counted, and neither stored nor seen", async () => {
  const workspace = tagging.newWorkspace();
  const reader = await workspace.newReader({ filters: [{ action: IGNORE, prefix: "abc" }] });
  // The first two bits of "f" and "c" are equal.
  const filters = [
    { action: ACCEPT, prefix: "e2" },
    { action: ACCEPT, prefix: "f", bits: 2 },
  ];
  await tagging.readerSettings.putReaderSettings({ filters }, workspace.admin);
  const taken = [newEpc(), `C${newEpc().slice(1)}`];
  const ignored = [`ABC${newEpc().slice(3)}`, `30${newEpc().slice(2)}`];
  const ts = new Date().toISOString();
  const batch = reader.signedBatch([...ignored, ...taken].map((epc) => ({ epc, ts })));
  const { results } = await tagging.sendBatch(batch);
  expect(new Set(results.map(({ status }) => status)).size).toBe(1);
  await eventually(async () => {
    const { tags } = await tagging.tags.listTags({ assigned: false }, workspace.admin);
    expect(tags.map(({ epc }) => epc).sort()).toEqual(taken.toSorted());
  });
  const { reads } = await tagging.sightings.listReaderReads({ id: reader.id }, workspace.admin);
  expect(reads.map(({ epc }) => epc).sort()).toEqual(taken.toSorted());
  await eventually(async () => {
    const { ignoredByReason } = await tagging.readers.getReader({ id: reader.id }, workspace.admin);
    expect(ignoredByReason).toEqual({ filtered: 2 });
  });
});

it("the filters of a reader come before those of the workspace", async () => {
  const workspace = tagging.newWorkspace();
  const [own, other] = [await workspace.newReader(), await workspace.newReader()];
  await tagging.readerSettings.putReaderSettings(
    { filters: [{ action: IGNORE, prefix: "E" }] },
    workspace.admin,
  );
  await setFilters(workspace, own.id, [{ action: ACCEPT, prefix: "E280" }]);
  const [at, taken, ignored] = [Date.now(), newEpc(), newEpc()];
  // One partition handles its records in order, so the last tag of each comes after the ignored one.
  await tagging.inject([other.acceptedEvent(ignored, at)], [own.acceptedEvent(ignored, at + 1)]);
  await tagging.inject([other.acceptedEvent(taken, at)], [own.acceptedEvent(taken, at + 1)]);
  await eventually(async () => {
    const { reads } = await tagging.sightings.listReaderReads({ id: own.id }, workspace.admin);
    expect(reads.map(({ epc }) => epc).sort()).toEqual([taken, ignored].sort());
  });
  const { reads } = await tagging.sightings.listReaderReads({ id: other.id }, workspace.admin);
  expect(reads).toEqual([]);
});

it("filters are stored upper-case and audited, and wrong ones are refused with their field", async () => {
  const workspace = tagging.newWorkspace();
  const { id } = await workspace.newReader();
  const { reader } = await setFilters(workspace, id, [{ action: IGNORE, prefix: "e28", bits: 11 }]);
  expect(reader).toMatchObject({ filters: [{ action: IGNORE, prefix: "E28", bits: 11 }], rev: 2 });
  await eventually(() =>
    expect(tagging.auditEntries(workspace.id).map(({ changes }) => changes)).toContainEqual({
      filters: [undefined, "ignore E28/11"],
    }),
  );
  const wrong: Filters[] = [
    [{ action: IGNORE, prefix: "xyz" }],
    [{ action: IGNORE, prefix: "" }],
    [{ prefix: "E2" }],
    [{ action: IGNORE, prefix: "E2", bits: 9 }],
    [{ action: IGNORE, prefix: "E2", bits: 0 }],
    Array.from({ length: 21 }, () => ({ action: IGNORE, prefix: "E2" })),
  ];
  const fields = async (filters: Filters) =>
    (await failure(setFilters(workspace, id, filters)))!.violations.map(({ field }) => field).join(" ");
  expect(await Promise.all(wrong.map(fields))).toEqual([
    ...["filters.0.prefix", "filters.0.prefix", "filters.0.action", "filters.0.bits", "filters.0.bits"],
    "filters",
  ]);
});
