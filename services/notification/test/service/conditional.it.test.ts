import { eventually } from "@asset-register/harness";
import { AlertStatus } from "@asset-register/proto/assetregister/notification/v1/alert_pb";
import { codeOf } from "@asset-register/service-harness";
import { describe, expect, test } from "vitest";
import { alertsOf, makeRule, seen, seenIn, taggedAsset } from "../alerting.ts";
import { newWorkspace, sharedNotification, type Workspace } from "../support.ts";

const service = await sharedNotification();

const PRECONDITION = "PRECONDITION_FAILED";

const webhooksOf = async ({ asProgram }: Workspace) =>
  (await service.webhooks.listWebhooks({}, asProgram)).webhooks;

/** An open alert, at rev 1, and its workspace. */
async function raised() {
  const workspace = newWorkspace();
  const zoneId = await service.zone(workspace.workspaceId);
  await makeRule(service, workspace, { condition: seenIn(zoneId) });
  const asset = taggedAsset(service, workspace);
  const see = () => asset.see({ change: seen, zoneId });
  await see();
  const alert = await eventually(async () => {
    const [found] = await alertsOf(service, workspace);
    if (found === undefined) throw new Error("no alert yet");
    return found;
  });
  return { workspace, id: alert.id, see };
}

const hook = async (workspace: Workspace) => {
  const webhook = { url: "http://127.0.0.1:9/hook", events: ["*"] };
  return (await service.webhooks.createWebhook({ webhook }, workspace.asProgram)).webhook!.id;
};

describe("an alert", () => {
  test("concurrent changes of one rev: one succeeds, the others get PRECONDITION_FAILED", async () => {
    const { workspace, id } = await raised();
    const { alerts } = service;
    const steps = [alerts.acknowledgeAlert, alerts.resolveAlert, alerts.acknowledgeAlert];
    const codes = await Promise.all(
      steps.map((step) => codeOf(step({ id, ifRevIn: [1] }, workspace.asPerson))),
    );
    expect(codes.toSorted()).toEqual([PRECONDITION, PRECONDITION, undefined]);
    const status = codes[1] === undefined ? AlertStatus.RESOLVED : AlertStatus.ACKNOWLEDGED;
    expect(await alertsOf(service, workspace)).toMatchObject([{ status, rev: 2 }]);
  });

  test("a change that names another rev has no effect, and a repeat of the alert changes no rev", async () => {
    const { workspace, id, see } = await raised();
    const resolve = (ifRevIn: number[]) => service.alerts.resolveAlert({ id, ifRevIn }, workspace.asPerson);
    for (const other of [[0], [2], [5, 0]]) expect(await codeOf(resolve(other))).toBe(PRECONDITION);
    await see();
    await eventually(async () =>
      expect(await alertsOf(service, workspace)).toMatchObject([{ count: 2, rev: 1 }]),
    );
    expect((await alertsOf(service, workspace))[0]?.status).toBe(AlertStatus.OPEN);
    expect((await resolve([7, 1])).alert).toMatchObject({ status: AlertStatus.RESOLVED, rev: 2 });
    // A call that would change nothing is checked too.
    expect(await codeOf(resolve([1]))).toBe(PRECONDITION);
  });

  test("an alert of another workspace is NOT_FOUND at any rev", async () => {
    const { id } = await raised();
    const { asPerson } = newWorkspace();
    for (const ifRevIn of [[1], [9]]) {
      expect(await codeOf(service.alerts.acknowledgeAlert({ id, ifRevIn }, asPerson))).toBe("NOT_FOUND");
    }
  });

  test("a repeat under one Idempotency-Key gets the first answer, although the rev has changed since", async () => {
    const { workspace, id } = await raised();
    const keyed = { ...workspace.asPerson, idempotencyKey: "ack-once" };
    const first = await service.alerts.acknowledgeAlert({ id, ifRevIn: [1] }, keyed);
    await service.alerts.resolveAlert({ id, ifRevIn: [2] }, workspace.asPerson);
    expect(await service.alerts.acknowledgeAlert({ id, ifRevIn: [1] }, keyed)).toEqual(first);
    expect(await alertsOf(service, workspace)).toMatchObject([{ status: AlertStatus.RESOLVED, rev: 3 }]);
  });
});

describe("a subscription", () => {
  test("concurrent deletions at the rev that was read: one succeeds, the others get NOT_FOUND", async () => {
    const workspace = newWorkspace();
    const id = await hook(workspace);
    const remove = (ifRevIn: number[]) =>
      codeOf(service.webhooks.deleteWebhook({ id, ifRevIn }, workspace.asProgram));
    expect(await remove([2])).toBe(PRECONDITION);
    expect(await webhooksOf(workspace)).toMatchObject([{ id, rev: 1 }]);
    const codes = await Promise.all([remove([1]), remove([1]), remove([1])]);
    expect(codes.toSorted()).toEqual(["NOT_FOUND", "NOT_FOUND", undefined]);
    expect(await webhooksOf(workspace)).toEqual([]);
  });

  test("a subscription of another workspace is NOT_FOUND at any rev", async () => {
    const workspace = newWorkspace();
    const id = await hook(workspace);
    const { asProgram } = newWorkspace();
    for (const ifRevIn of [[1], [9]]) {
      expect(await codeOf(service.webhooks.deleteWebhook({ id, ifRevIn }, asProgram))).toBe("NOT_FOUND");
    }
    expect(await webhooksOf(workspace)).toHaveLength(1);
  });
});
