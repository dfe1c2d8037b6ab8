import { eventually } from "@asset-register/harness";
import { AlertScope, AlertStatus } from "@asset-register/proto/assetregister/notification/v1/alert_pb";
import {
  ReaderHealthReason,
  ReaderHealthState,
  ReaderKind,
} from "@asset-register/proto/assetregister/tagging_ingest/v1/reader_pb";
import { newId } from "@asset-register/runtime";
import { failure } from "@asset-register/service-harness";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { afterAll, beforeAll, expect, test } from "vitest";
import { alertsOf, degradedFor, makeRule, movableClock, type RuleFields } from "../alerting.ts";
import { livenessEvent, readerEvent } from "../events.ts";
import { newWorkspace, startNotification, type Workspace } from "../support.ts";

// Rules about readers that are heard, but not well. Two processes run, of which one sweeps.

const clock = movableClock();
const service = await startNotification({ now: clock.now });
beforeAll(() => service.start());
afterAll(() => service.stop());

const MINUTE = 60_000;
const ruleFor = (minutes: number, ...reasons: ReaderHealthReason[]) => ({
  condition: degradedFor(minutes, ...reasons),
});
const { BLIND, CLOCK_SKEW, REJECTED } = ReaderHealthReason;

const states = service.mongo.collection<ReaderRow>("reader_states");
type ReaderRow = { _id: string; workspaceId: string; kind?: string; healthSequence?: number };

/** A reader, whose liveness is numbered by the clock. */
async function newReader(
  { workspaceId }: Workspace,
  fields: Parameters<typeof readerEvent>[1] | object = {},
) {
  const id = newId("rdr");
  await service.publish(readerEvent(workspaceId, { ...fields, id }));
  const since = new Map<string, Date>();
  /** Publishes its liveness with the reasons, without any as well. It keeps its state since the first time. */
  const judged = async (...reasons: ReaderHealthReason[]) => {
    clock.forward(1);
    const at = clock.now();
    const state = reasons.length > 0 ? ReaderHealthState.DEGRADED : ReaderHealthState.OK;
    const changed = since.get(reasons.join()) ?? at;
    const begun = since.get(String(state)) ?? at;
    since.clear();
    since.set(reasons.join(), changed).set(String(state), begun);
    const health = { state, reasons, since: timestampFromDate(begun), changedAt: timestampFromDate(changed) };
    await service.publish(livenessEvent(workspaceId, id, at, health));
    await eventually(async () => {
      const row = await states.findOne({ workspaceId, _id: id });
      expect(row?.healthSequence).toBe(at.getTime());
      expect(row?.kind).toBeDefined();
    });
  };
  return { id, judged };
}

async function workspaceWith(...rules: RuleFields[]) {
  const workspace = newWorkspace();
  for (const fields of rules) await makeRule(service, workspace, { cooldownSeconds: 0, ...fields });
  return workspace;
}

/** The alerts of a workspace as [subject, status]. */
const subjects = async (workspace: Workspace) =>
  (await alertsOf(service, workspace)).map(({ subject, status }) => [subject, status]);

const becomes = (workspace: Workspace, expected: [string, AlertStatus][]) =>
  eventually(async () => expect((await subjects(workspace)).sort()).toEqual(expected.sort()));

test("reader_degraded: a portal that is degraded for the minutes raises one alert, also while it is heard, and ends it when it is well", async () => {
  const workspace = await workspaceWith(ruleFor(5));
  const [portal, phone] = [
    await newReader(workspace),
    await newReader(workspace, { kind: ReaderKind.PHONE }),
  ];
  await portal.judged(CLOCK_SKEW);
  await phone.judged(CLOCK_SKEW);
  clock.forward(4 * MINUTE);
  await portal.judged(CLOCK_SKEW);
  // A second portal that is degraded for long enough shows that the first one was judged.
  const early = await newReader(workspace);
  await early.judged(BLIND);
  clock.forward(MINUTE);
  await becomes(workspace, [[portal.id, AlertStatus.OPEN]]);
  expect(await alertsOf(service, workspace)).toMatchObject([{ readerId: portal.id, count: 1 }]);
  await portal.judged();
  await becomes(workspace, [[portal.id, AlertStatus.RESOLVED]]);
  clock.forward(4 * MINUTE);
  await becomes(workspace, [
    [portal.id, AlertStatus.RESOLVED],
    [early.id, AlertStatus.OPEN],
  ]);
});

test("reader_degraded: a rule with reasons fires and ends by these only, and fires again when one comes back", async () => {
  const workspace = await workspaceWith(ruleFor(1, BLIND, REJECTED));
  const portal = await newReader(workspace);
  const other = await newReader(workspace);
  await portal.judged(BLIND);
  await other.judged(CLOCK_SKEW);
  clock.forward(MINUTE);
  await becomes(workspace, [[portal.id, AlertStatus.OPEN]]);
  await portal.judged(CLOCK_SKEW);
  await becomes(workspace, [[portal.id, AlertStatus.RESOLVED]]);
  await portal.judged(BLIND, CLOCK_SKEW);
  await becomes(workspace, [
    [portal.id, AlertStatus.RESOLVED],
    [portal.id, AlertStatus.OPEN],
  ]);
});

test("reader_degraded: an earlier judgement that arrives late changes nothing", async () => {
  const workspace = await workspaceWith(ruleFor(1));
  const { workspaceId } = workspace;
  const { id, judged } = await newReader(workspace);
  const before = clock.now();
  await judged(BLIND);
  const ok = { state: ReaderHealthState.OK, since: timestampFromDate(before) };
  await service.publish(livenessEvent(workspaceId, id, new Date(before.getTime() - MINUTE), ok));
  clock.forward(MINUTE);
  await becomes(workspace, [[id, AlertStatus.OPEN]]);
});

test("reader_degraded: its scope is as that of reader_offline, and its minutes are 1 to 1440", async () => {
  const workspace = newWorkspace();
  const zoneId = await service.zone(workspace.workspaceId);
  const scope = { scopeType: AlertScope.ZONE, scopeId: zoneId };
  await makeRule(service, workspace, { ...ruleFor(1), ...scope });
  const handheld = await newReader(workspace, { kind: ReaderKind.HANDHELD_SLED, zoneId });
  const antennas = [{ antenna: 1, name: "Inside", zoneId }];
  const door = await newReader(workspace, { antennas });
  const elsewhere = await newReader(workspace);
  await door.judged(REJECTED);
  await handheld.judged(REJECTED);
  await elsewhere.judged(REJECTED);
  clock.forward(MINUTE);
  await becomes(workspace, [
    [handheld.id, AlertStatus.OPEN],
    [door.id, AlertStatus.OPEN],
  ]);
  const fieldsOf = async (fields: RuleFields) =>
    (await failure(makeRule(service, workspace, fields)))!.violations.map(({ field }) => field);
  expect(await fieldsOf({ ...ruleFor(1), scopeType: AlertScope.ASSET, scopeId: "ast_1" })).toEqual([
    "scope_type",
  ]);
  expect(await fieldsOf(ruleFor(0))).toEqual(["condition.minutes"]);
  expect(await fieldsOf(ruleFor(1_441))).toEqual(["condition.minutes"]);
});
