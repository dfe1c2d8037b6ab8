import { eventually } from "@asset-register/harness";
import { caller, codeOf, failure } from "@asset-register/service-harness";
import { expect, it } from "vitest";
import { sharedTagging } from "../support.ts";
import type { Workspace } from "../test-workspace.ts";

const tagging = await sharedTagging();
const { readerSettings } = tagging;

type Settings = Parameters<typeof readerSettings.putReaderSettings>[0];
const put = async ({ admin }: Workspace, settings: Settings) =>
  (await readerSettings.putReaderSettings(settings, admin)).settings!;
const read = async ({ admin }: Workspace) => (await readerSettings.getReaderSettings({}, admin)).settings!;

it("a workspace that has stored nothing has the defaults at rev 1; its first settings are at rev 2", async () => {
  const workspace = tagging.newWorkspace();
  const defaults = { unknownPerHour: 1_000, travel: { defaultSeconds: 300, pairs: [] }, rev: 1 };
  const before = await read(workspace);
  expect(before).toMatchObject(defaults);
  expect([before.presence, before.updatedAt]).toEqual([undefined, undefined]);
  expect(await put(workspace, { presence: { confirmReads: 3 } })).toMatchObject({
    ...{ ...defaults, presence: { confirmReads: 3 }, rev: 2 },
    updatedAt: expect.anything(),
  });
  expect(await read(tagging.newWorkspace())).toMatchObject(defaults);
});

it("settings are replaced as a whole, once: the same again changes nothing, and absent fields have their defaults", async () => {
  const workspace = tagging.newWorkspace();
  const { id: workspaceId } = workspace;
  for (const id of ["prp_1", "prp_2"]) tagging.register.properties.add(workspaceId, id);
  const pairs = [{ propertyIds: ["prp_1", "prp_2"], seconds: 900 }];
  const settings = { presence: { reportIntervalSeconds: 60 }, unknownPerHour: 7, travel: { pairs } };
  const stored = { ...settings, travel: { defaultSeconds: 300, pairs }, rev: 2 };
  expect(await put(workspace, settings)).toMatchObject(stored);
  expect(await put(workspace, settings)).toMatchObject(stored);
  expect(await read(workspace)).toMatchObject(stored);
  const emptied = await put(workspace, {});
  expect(emptied).toMatchObject({ unknownPerHour: 1_000, travel: { pairs: [] }, rev: 3 });
  expect(emptied.presence).toBeUndefined();
  await eventually(() => expect(tagging.auditEntries(workspaceId)).toHaveLength(2));
  const [first] = tagging.auditEntries(workspaceId);
  expect(first).toMatchObject({
    ...{ action: "reader_settings.updated", subjectId: workspaceId },
    changes: {
      "presence.report_interval_seconds": [undefined, "60"],
      unknown_per_hour: ["1000", "7"],
      "travel.pairs": [undefined, "prp_1:prp_2=900"],
    },
  });
});

it("If-Match compares the rev, also that of the defaults; of two first settings at once both are kept in turn, or one is refused", async () => {
  const workspace = tagging.newWorkspace();
  expect(await codeOf(put(workspace, { ifRevIn: [2] }))).toBe("PRECONDITION_FAILED");
  const both = await Promise.allSettled(
    [5, 6].map((unknownPerHour) => put(workspace, { unknownPerHour, ifRevIn: [1] })),
  );
  expect(both.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  expect(await read(workspace)).toMatchObject({ rev: 2 });
});

it("each value out of its range, each contradiction and each unknown property is refused with its field", async () => {
  const workspace = tagging.newWorkspace();
  tagging.register.properties.add(workspace.id, "prp_1");
  const refused = async (settings: Settings) => {
    const { kind, violations } = (await failure(put(workspace, settings)))!;
    return `${kind} ${violations.map(({ field }) => field).join(" ")}`;
  };
  const presence = [
    { confirmReads: 0 },
    { confirmReads: 11 },
    { dwellSeconds: 61 },
    { leaveAfterSeconds: 4 },
    { leaveAfterSeconds: 86_401 },
    { marginDb: -1 },
    { marginDb: 30.5 },
    { reportIntervalSeconds: 0 },
    { reportIntervalSeconds: 28_801 },
    { confirmReads: 2, reportIntervalSeconds: 6 },
    { leaveAfterSeconds: 179, reportIntervalSeconds: 60 },
  ];
  expect(await Promise.all(presence.map((one) => refused({ presence: one })))).toEqual(
    [
      ...["confirm_reads", "confirm_reads", "dwell_seconds", "leave_after_seconds", "leave_after_seconds"],
      ...["margin_db", "margin_db", "report_interval_seconds", "report_interval_seconds"],
      ...["confirm_reads", "leave_after_seconds"],
    ].map((field) => `invalid presence.${field}`),
  );
  const pairs = (...propertyIds: string[]) => ({ travel: { pairs: [{ propertyIds, seconds: 1 }] } });
  expect(await refused(pairs("prp_1", "prp_1"))).toBe("invalid travel.pairs.0.property_ids");
  expect(await refused(pairs("prp_1", "prp_9"))).toBe("not_found travel.pairs.0.property_ids.1");
  expect(await refused({ unknownPerHour: 1_000_001 })).toBe("invalid unknown_per_hour");
  expect(await read(workspace)).toMatchObject({ rev: 1 });
});

it("only who manages devices reads and writes them", async () => {
  const viewer = caller.user(tagging.newWorkspace().id, "view");
  expect(await codeOf(readerSettings.getReaderSettings({}, viewer))).toBe("FORBIDDEN");
  expect(await codeOf(readerSettings.putReaderSettings({}, viewer))).toBe("FORBIDDEN");
});
