import { eventually } from "@asset-register/harness";
import {
  AlertChannel,
  AlertScope,
  AlertStatus,
} from "@asset-register/proto/assetregister/notification/v1/alert_pb";
import { newId, toAppError } from "@asset-register/runtime";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { newWorkspace, type RunningNotification, startNotification, type Workspace } from "./support.ts";

let service: RunningNotification;
beforeAll(async () => {
  service = await startNotification();
});
afterAll(() => service.stop());

const LOST = "PRECONDITION_FAILED";

const codeOf = (call: Promise<unknown>): Promise<string | undefined> =>
  call.then(
    () => undefined,
    (error: unknown) => toAppError(error).code,
  );

const alertsOf = async ({ asPerson }: Workspace) => (await service.alerts.listAlerts({}, asPerson)).alerts;
const webhooksOf = async ({ asProgram }: Workspace) =>
  (await service.webhooks.listWebhooks({}, asProgram)).webhooks;

/** An open alert, at rev 1, and its workspace. */
async function raised() {
  const workspace = newWorkspace();
  const { workspaceId } = workspace;
  const zoneId = await service.zone(workspaceId);
  const condition = { condition: { case: "seenInZone" as const, value: { zoneId } } };
  const rule = { name: "Gate", scopeType: AlertScope.ALL, channel: AlertChannel.INAPP, condition };
  await service.alerts.createAlertRule(rule, workspace.asPerson);
  const assetId = newId("ast");
  const see = (sequence: number) =>
    service.sightings({ workspaceId, assetId, zoneId, sequence, change: { case: "seen", value: {} } });
  await see(1);
  const alert = await eventually(async () => {
    const [found] = await alertsOf(workspace);
    if (found === undefined) throw new Error("no alert yet");
    return found;
  });
  return { workspace, id: alert.id, see };
}

const hook = async (workspace: Workspace) => {
  const request = { url: "http://127.0.0.1:9/hook", events: ["*"] };
  return (await service.webhooks.createWebhook(request, workspace.asProgram)).webhook!.id;
};

describe("an alert", () => {
  test("of several at once that read it open, one changes it", async () => {
    const { workspace, id } = await raised();
    const { alerts } = service;
    const steps = [alerts.acknowledgeAlert, alerts.resolveAlert, alerts.acknowledgeAlert];
    const codes = await Promise.all(
      steps.map((step) => codeOf(step({ id, ifRevIn: [1n] }, workspace.asPerson))),
    );
    expect(codes.toSorted()).toEqual([LOST, LOST, undefined]);
    const status = codes[1] === undefined ? AlertStatus.RESOLVED : AlertStatus.ACKNOWLEDGED;
    expect(await alertsOf(workspace)).toMatchObject([{ status, rev: 2n }]);
  });

  test("stays as it is at another rev; that it repeats is no change", async () => {
    const { workspace, id, see } = await raised();
    const resolve = (ifRevIn: number[]) => service.alerts.resolveAlert({ id, ifRevIn }, workspace.asPerson);
    for (const other of [[0n], [2n], [5n, 0n]]) expect(await codeOf(resolve(other))).toBe(LOST);
    await see(2);
    await eventually(async () => expect(await alertsOf(workspace)).toMatchObject([{ count: 2, rev: 1n }]));
    expect((await alertsOf(workspace))[0]?.status).toBe(AlertStatus.OPEN);
    expect((await resolve([7n, 1n])).alert).toMatchObject({ status: AlertStatus.RESOLVED, rev: 2n });
    // What would change nothing is no exception.
    expect(await codeOf(resolve([1n]))).toBe(LOST);
  });

  test("of another workspace is not found at whatever rev", async () => {
    const { id } = await raised();
    const { asPerson } = newWorkspace();
    for (const ifRevIn of [[1n], [9n]]) {
      expect(await codeOf(service.alerts.acknowledgeAlert({ id, ifRevIn }, asPerson))).toBe("NOT_FOUND");
    }
  });

  test("is acknowledged once under one Idempotency-Key, although the rev has moved on", async () => {
    const { workspace, id } = await raised();
    const keyed = { ...workspace.asPerson, idempotencyKey: "ack-once" };
    const first = await service.alerts.acknowledgeAlert({ id, ifRevIn: [1n] }, keyed);
    await service.alerts.resolveAlert({ id, ifRevIn: [2n] }, workspace.asPerson);
    expect(await service.alerts.acknowledgeAlert({ id, ifRevIn: [1n] }, keyed)).toEqual(first);
    expect(await alertsOf(workspace)).toMatchObject([{ status: AlertStatus.RESOLVED, rev: 3n }]);
  });
});

describe("a subscription", () => {
  test("is deleted at the rev that was read, by one of several; for the others it is gone", async () => {
    const workspace = newWorkspace();
    const id = await hook(workspace);
    const remove = (ifRevIn: number[]) =>
      codeOf(service.webhooks.deleteWebhook({ id, ifRevIn }, workspace.asProgram));
    expect(await remove([2n])).toBe(LOST);
    expect(await webhooksOf(workspace)).toMatchObject([{ id, rev: 1n }]);
    const codes = await Promise.all([remove([1n]), remove([1n]), remove([1n])]);
    expect(codes.toSorted()).toEqual(["NOT_FOUND", "NOT_FOUND", undefined]);
    expect(await webhooksOf(workspace)).toEqual([]);
  });

  test("that is another workspace's is not found at whatever rev", async () => {
    const workspace = newWorkspace();
    const id = await hook(workspace);
    const { asProgram } = newWorkspace();
    for (const ifRevIn of [[1n], [9n]]) {
      expect(await codeOf(service.webhooks.deleteWebhook({ id, ifRevIn }, asProgram))).toBe("NOT_FOUND");
    }
    expect(await webhooksOf(workspace)).toHaveLength(1);
  });
});
