import { auditEvent } from "@asset-register/audit";
import { createDeadLetters, type OutgoingEvent } from "@asset-register/events";
import { eventually } from "@asset-register/harness";
import { ActorKind } from "@asset-register/proto/assetregister/common/v1/actor_pb";
import type { topics } from "@asset-register/proto/topics";
import { newId } from "@asset-register/runtime";
import { timestampDate } from "@bufbuild/protobuf/wkt";
import { afterAll, expect, test } from "vitest";
import { startIdentity } from "../support.ts";

type AuditEvent = OutgoingEvent<typeof topics.audit.schema>;

const service = await startIdentity();
const bus = await service.openTopics();
afterAll(async () => {
  await bus.close();
  await service.stop();
});

const at = new Date("2026-01-02T03:04:05.678Z");
const rotated = (workspaceId: string): AuditEvent =>
  auditEvent(
    {
      ...{ workspaceId, actor: { kind: "user", id: "usr_1" } },
      ...{ requestId: "req-9", clientAddress: "192.0.2.7", clientRequestId: "sync-1" },
    },
    at,
    "reader.secret_rotated",
    "rdr_1",
    [{ field: "overlap_seconds", after: "60" }],
  );
/** The same event with a changed entry, as a newer or a faulty release might send it. */
const altered = (event: AuditEvent, part: object): AuditEvent => {
  const change = event.message?.change;
  if (change?.case !== "recorded") throw new Error("no audit entry");
  const entry = { ...change.value?.entry, ...part };
  return { ...event, message: { change: { case: "recorded", value: { entry } } } };
};
const subjects = async (as: Parameters<typeof service.audited>[0], action: string) =>
  (await service.audited(as, action)).map(({ subjectId }) => subjectId);

test("audit entries of other services are in the log of their workspace, once however often they are sent", async () => {
  const { as, workspace } = await service.seed("readers");
  const stranger = await service.seed("readers-stranger");
  const first = rotated(workspace.id);
  await bus.publish(first, rotated(workspace.id), first);
  await bus.publish(first);
  await bus.publish(altered(rotated(workspace.id), { action: "reader.revoked" }));
  const entries = await eventually(async () => {
    expect(await service.audited(as, "reader.revoked")).toHaveLength(1);
    const found = await service.audited(as, "reader.secret_rotated");
    expect(found).toHaveLength(2);
    return found;
  });
  expect(entries[0]).toMatchObject({
    ...{ subjectId: "rdr_1", requestId: "req-9", actor: { kind: ActorKind.USER, id: "usr_1" } },
    changes: [{ field: "overlap_seconds", after: "60" }],
  });
  expect(entries[0]).toMatchObject({ clientAddress: "192.0.2.7", clientRequestId: "sync-1" });
  expect(timestampDate(entries[0]!.at!)).toEqual(at);
  const foreign = await service.audited(stranger.as);
  expect(foreign.map(({ action }) => action)).toEqual(["workspace.created"]);
});

test("an entry of a newer release is stored as far as it is known, another change is skipped, neither is a dead letter", async () => {
  const { as, workspace } = await service.seed("newer");
  const event = rotated(workspace.id);
  const actor = { kind: 4711, id: "bot_1" };
  await bus.publish(
    { ...event, type: "audit.sealed", message: { change: { case: undefined } } },
    altered(event, { id: newId("aud"), action: "robot.started", actor }),
  );
  const [entry] = await eventually(async () => {
    const found = await service.audited(as, "robot.started");
    expect(found).toHaveLength(1);
    return found;
  });
  expect(entry?.actor).toMatchObject({ kind: ActorKind.SERVICE, id: "bot_1" });
  expect(await service.audited(as, "reader.secret_rotated")).toEqual([]);
  expect(await createDeadLetters(bus.kafka).list()).toEqual([]);
});

test("an entry without a workspace or an id is a dead letter, and later entries are stored", async () => {
  const { as, workspace } = await service.seed("faulty");
  const event = rotated(workspace.id);
  await bus.publish(
    altered({ ...event, workspaceId: "none" }, { id: newId("aud") }),
    altered(event, { id: "1" }),
    altered(event, { id: newId("aud"), subjectId: "rdr_2" }),
  );
  await eventually(async () => expect(await subjects(as, "reader.secret_rotated")).toEqual(["rdr_2"]));
  const letters = createDeadLetters(bus.kafka);
  await eventually(async () => expect(await letters.list()).toHaveLength(2));
});
