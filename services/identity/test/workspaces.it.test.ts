import { connectKafka, createConsumer, type Incoming, republishAll, subscribe } from "@asset-register/events";
import { eventually } from "@asset-register/harness";
import type { WorkspaceEventSchema } from "@asset-register/proto/assetregister/events/v1/workspace_pb";
import { Plan, WorkspaceStatus } from "@asset-register/proto/assetregister/identity/v1/workspace_pb";
import { topics } from "@asset-register/proto/topics";
import { createLogger, createMetrics } from "@asset-register/runtime";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { changeWorkspace } from "../src/operations/change-workspace.ts";
import { republish } from "../src/republish.ts";
import { type RunningIdentity, startIdentity } from "./support.ts";

let service: RunningIdentity;
let stopConsumer: () => Promise<void>;
const events: Incoming<typeof WorkspaceEventSchema>[] = [];
const published = (id: string) => events.filter(({ subject }) => subject === id);

beforeAll(async () => {
  service = await startIdentity();
  const logger = createLogger({ service: "test", level: "error" });
  const { prefix, store, env } = service;
  const brokers = env.KAFKA_BROKERS.split(",");
  const consumer = createConsumer({
    kafka: connectKafka({ brokers, clientId: "test", topicPrefix: prefix, logger }),
    group: "test",
    mongo: store.mongo,
    logger,
    metrics: createMetrics({ service: "test" }),
    subscriptions: [
      subscribe(topics.workspace, {
        handle: async (batch) => {
          events.push(...batch);
        },
      }),
    ],
  });
  await consumer.start();
  stopConsumer = () => consumer.stop();
});
afterAll(async () => {
  await stopConsumer();
  await service.stop();
});

const operator = (workspaceId: string) => ({ workspaceId, actor: { kind: "operator", id: "test" } }) as const;

describe("the workspace topic", () => {
  test("has each change once, in order, with the whole state after it", async () => {
    const { workspace, as } = await service.seed("events");
    await service.workspaces.updateWorkspace({ timeZone: "Asia/Tokyo" }, as);
    await service.workspaces.updateWorkspace({ timeZone: "Asia/Tokyo" }, as);
    await changeWorkspace(service.identity, { plan: "enterprise" }, operator(workspace.id));
    await changeWorkspace(service.identity, { status: "disabled" }, operator(workspace.id));
    await eventually(() => expect(published(workspace.id).at(-1)?.sequence).toBe(4));

    const seen = published(workspace.id);
    expect(seen.map(({ sequence, type }) => [sequence, type])).toEqual([
      [1, "workspace.created"],
      [2, "workspace.updated"],
      [3, "workspace.updated"],
      [4, "workspace.disabled"],
    ]);
    expect(seen.map(({ message }) => message?.state?.rev)).toEqual([1n, 2n, 3n, 4n]);
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
  test("sends every workspace as it is now, in an epoch that consumers take over what they know", async () => {
    const kept = await service.seed("kept");
    const closed = await service.seed("closed");
    await changeWorkspace(service.identity, { status: "disabled" }, operator(closed.workspace.id));
    // What still waits when the epoch begins is sent in it too.
    await eventually(() => {
      expect(published(kept.workspace.id)).toHaveLength(1);
      expect(published(closed.workspace.id)).toHaveLength(2);
    });
    const send = republish[topics.workspace.name];
    if (send === undefined) return expect.unreachable();
    const { epoch, written } = await republishAll(service.store.mongo, send, { pageSize: 1 });
    expect(written).toBeGreaterThanOrEqual(2);

    const again = (id: string) => published(id).filter((event) => event.epoch === epoch);
    await eventually(() => expect(again(closed.workspace.id)).toHaveLength(1));
    await eventually(() => expect(again(kept.workspace.id)).toHaveLength(1));
    expect(again(closed.workspace.id)[0]).toMatchObject({ sequence: 2, type: "workspace.disabled" });
    expect(again(closed.workspace.id)[0]?.message?.state?.status).toBe(WorkspaceStatus.DISABLED);
    expect(again(kept.workspace.id)[0]).toMatchObject({ sequence: 1, type: "workspace.updated" });
  });
});

describe("creating", () => {
  test("the same email twice at once makes one user, one workspace and one event", async () => {
    const answers = await Promise.all(
      ["One@example.com", "one@EXAMPLE.com", "ONE@example.com"].map((email) =>
        service.seed("one", { admin: { email, name: "Ada", password: "correct horse battery" } }),
      ),
    );
    expect(answers.filter(({ created }) => created)).toHaveLength(1);
    const ids = new Set(answers.map(({ workspace, admin }) => `${workspace.id} ${admin.id}`));
    expect(ids.size).toBe(1);

    const marker = await service.seed("after-one");
    await eventually(() => expect(published(marker.workspace.id)).toHaveLength(1));
    expect(events.filter(({ message }) => message?.state?.name === "one")).toHaveLength(1);
  });

  test("names every field that is wrong, those of the admin too", async () => {
    const wrong = service.seed("wrong", {
      currency: "EURO",
      admin: { email: "nobody", name: "", password: "short" },
    });
    await expect(wrong).rejects.toMatchObject({
      kind: "invalid",
      violations: ["currency", "admin_email", "admin_name", "admin_password"].map((field) =>
        expect.objectContaining({ field }),
      ),
    });
  });
});

describe("settings", () => {
  test("are read and changed in the caller's workspace alone", async () => {
    const mine = await service.seed("tenant-a");
    const theirs = await service.seed("tenant-b");
    await service.workspaces.updateWorkspace({ name: "Changed" }, mine.as);
    expect((await service.workspaces.getWorkspace({}, mine.as)).workspace?.name).toBe("Changed");
    expect((await service.workspaces.getWorkspace({}, theirs.as)).workspace).toMatchObject({
      id: theirs.workspace.id,
      name: "tenant-b",
      rev: 1n,
    });
    const { users } = service.identity;
    expect(await users.find(mine.workspace.id, theirs.admin.id)).toBeUndefined();
  });

  test("are an admin's to change, and only at the rev that was read", async () => {
    const { as } = await service.seed("settings");
    const principal = { ...as.principal, capabilities: ["view", "manage"] } as typeof as.principal;
    await expect(service.workspaces.updateWorkspace({ name: "x" }, { principal })).rejects.toMatchObject({
      kind: "forbidden",
    });
    const { workspace } = await service.workspaces.updateWorkspace({ fiscalYearStart: 4, ifRevIn: [1] }, as);
    expect(workspace).toMatchObject({ fiscalYearStart: 4, rev: 2n });
    await expect(
      service.workspaces.updateWorkspace({ fiscalYearStart: 7, ifRevIn: [1] }, as),
    ).rejects.toMatchObject({ kind: "precondition" });
  });

  test("changed ten times at once all count, none is lost", async () => {
    const { workspace } = await service.seed("busy");
    await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        changeWorkspace(service.identity, { name: `busy ${index}` }, operator(workspace.id)),
      ),
    );
    const after = await service.identity.workspaces.find(workspace.id);
    expect(after?.rev).toBe(11);
    await eventually(() => expect(published(workspace.id)).toHaveLength(11));
    expect(published(workspace.id).map(({ sequence }) => sequence)).toEqual(
      Array.from({ length: 11 }, (_, index) => index + 1),
    );
    expect(published(workspace.id).at(-1)?.message?.state?.name).toBe(after?.name);
  });
});
