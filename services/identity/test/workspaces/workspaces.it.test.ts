import { republishAll } from "@asset-register/events";
import { eventually } from "@asset-register/harness";
import { Plan, WorkspaceStatus } from "@asset-register/proto/assetregister/identity/v1/workspace_pb";
import { topics } from "@asset-register/proto/topics";
import { afterAll, describe, expect, test } from "vitest";
import { updateWorkspace } from "../../src/operations/workspaces/update-workspace.ts";
import { republish } from "../../src/republish.ts";
import { operatorOf, startIdentity } from "../support.ts";

const published = (id: string) => bus.recorded.workspace.of(id);

const service = await startIdentity();
const bus = await service.openTopics();
afterAll(async () => {
  await bus.close();
  await service.stop();
});

describe("the workspace topic", () => {
  test("has each change once and in order, with the complete state after it", async () => {
    const { workspace, as } = await service.seed("events");
    await service.workspaces.updateWorkspace({ timeZone: "Asia/Tokyo" }, as);
    await service.workspaces.updateWorkspace({ timeZone: "Asia/Tokyo" }, as);
    await updateWorkspace(service.context, { plan: "enterprise" }, operatorOf(workspace.id));
    await updateWorkspace(service.context, { status: "disabled" }, operatorOf(workspace.id));
    await eventually(() => expect(published(workspace.id).at(-1)?.sequence).toBe(4));

    const seen = published(workspace.id);
    expect(seen.map(({ sequence, type }) => [sequence, type])).toEqual([
      [1, "workspace.created"],
      [2, "workspace.updated"],
      [3, "workspace.updated"],
      [4, "workspace.disabled"],
    ]);
    expect(seen.map(({ message }) => message?.state?.rev)).toEqual([1, 2, 3, 4]);
    expect(seen[0]?.message?.state).toMatchObject({ timeZone: "Europe/Berlin", plan: Plan.BUSINESS });
    expect(seen[3]?.message?.state).toMatchObject({
      id: workspace.id,
      name: "events",
      timeZone: "Asia/Tokyo",
      currency: "EUR",
      plan: Plan.ENTERPRISE,
      status: WorkspaceStatus.DISABLED,
    });
  });
});

describe("republishing", () => {
  test("sends the present state of each workspace in a new epoch", async () => {
    const kept = await service.seed("kept");
    const closed = await service.seed("closed");
    await updateWorkspace(service.context, { status: "disabled" }, operatorOf(closed.workspace.id));
    // Events that wait when the epoch begins would be sent in it too.
    await eventually(() => {
      expect(published(kept.workspace.id)).toHaveLength(1);
      expect(published(closed.workspace.id)).toHaveLength(2);
    });
    const send = republish[topics.workspace.name];
    if (send === undefined) return expect.unreachable();
    const { epoch, written } = await republishAll(service.mongo, send, { pageSize: 1 });
    expect(written).toBeGreaterThanOrEqual(2);

    const again = (id: string) => published(id).filter((event) => event.epoch === epoch);
    await eventually(() => expect(again(closed.workspace.id)).toHaveLength(1));
    await eventually(() => expect(again(kept.workspace.id)).toHaveLength(1));
    expect(again(closed.workspace.id)[0]).toMatchObject({ sequence: 2, type: "workspace.republished" });
    expect(again(closed.workspace.id)[0]?.message?.state?.status).toBe(WorkspaceStatus.DISABLED);
    expect(again(kept.workspace.id)[0]).toMatchObject({ sequence: 1, type: "workspace.republished" });
  });
});

describe("creating", () => {
  test("a workspace by concurrent requests with one email creates one user, one workspace and one event", async () => {
    const answers = await Promise.all(
      ["One@example.com", "one@EXAMPLE.com", "ONE@example.com"].map((email) =>
        service.seed("one", { adminEmail: email }),
      ),
    );
    expect(answers.filter(({ created }) => created)).toHaveLength(1);
    const ids = new Set(answers.map(({ workspace, admin }) => `${workspace.id} ${admin.id}`));
    expect(ids.size).toBe(1);

    const marker = await service.seed("after-one");
    await eventually(() => {
      for (const id of [answers[0]!.workspace.id, marker.workspace.id]) expect(published(id)).toHaveLength(1);
    });
    expect(
      bus.recorded.workspace.events.filter(({ message }) => message?.state?.name === "one"),
    ).toHaveLength(1);
  });

  test("a workspace is refused with the names of all wrong fields, also those of the admin", async () => {
    const part = { currency: "EURO", adminEmail: "nobody", adminName: "", adminPassword: "short" };
    const wrong = service.seed("wrong", part);
    await expect(wrong).rejects.toMatchObject({
      kind: "invalid",
      violations: ["currency", "admin_email", "admin_name", "admin_password"].map((field) =>
        expect.objectContaining({ field }),
      ),
    });
  });
});

describe("settings", () => {
  test("are read and changed in the caller's workspace only", async () => {
    const mine = await service.seed("tenant-a");
    const theirs = await service.seed("tenant-b");
    await service.workspaces.updateWorkspace({ name: "Changed" }, mine.as);
    expect((await service.workspaces.getWorkspace({}, mine.as)).workspace?.name).toBe("Changed");
    expect((await service.workspaces.getWorkspace({}, theirs.as)).workspace).toMatchObject({
      id: theirs.workspace.id,
      name: "tenant-b",
      rev: 1,
    });
    const { users } = service.context.stores;
    expect(await users.get(mine.workspace.id, theirs.admin.id)).toBeUndefined();
  });

  test("can be changed by admins only, and only at a rev of the condition", async () => {
    const { as } = await service.seed("settings");
    const principal = { ...as.principal, capabilities: ["view", "manage"] } as typeof as.principal;
    await expect(service.workspaces.updateWorkspace({ name: "x" }, { principal })).rejects.toMatchObject({
      kind: "forbidden",
    });
    const { workspace } = await service.workspaces.updateWorkspace({ fiscalYearStart: 4, ifRevIn: [1] }, as);
    expect(workspace).toMatchObject({ fiscalYearStart: 4, rev: 2 });
    await expect(
      service.workspaces.updateWorkspace({ fiscalYearStart: 7, ifRevIn: [1] }, as),
    ).rejects.toMatchObject({ kind: "precondition" });
  });

  test("keep all of ten concurrent changes", async () => {
    const { workspace } = await service.seed("busy");
    await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        updateWorkspace(service.context, { name: `busy ${index}` }, operatorOf(workspace.id)),
      ),
    );
    const after = await service.context.stores.workspaces.get(workspace.id);
    expect(after?.rev).toBe(11);
    await eventually(() => expect(published(workspace.id)).toHaveLength(11));
    expect(published(workspace.id).map(({ sequence }) => sequence)).toEqual(
      Array.from({ length: 11 }, (_, index) => index + 1),
    );
    expect(published(workspace.id).at(-1)?.message?.state?.name).toBe(after?.name);
  });
});
