import { eventually } from "@asset-register/harness";
import { systemCollection } from "@asset-register/mongo/system";
import { AlertChannel, NoticeKind } from "@asset-register/proto/assetregister/notification/v1/alert_pb";
import { caller, codeOf } from "@asset-register/service-harness";
import { expect, test } from "vitest";
import { applySightings } from "../../src/operations/judging/apply-sightings.ts";
import { sendDigests } from "../../src/operations/sweeps/send-digests.ts";
import { retention } from "../../src/store/retention.ts";
import { alertsOf, makeRule, seenIn, sightingsIn, unknownTag } from "../alerting.ts";
import { startReceiver } from "../receiver.ts";
import { newWorkspace, sharedNotification, type Workspace } from "../support.ts";

const service = await sharedNotification();

const noticesOf = async ({ asPerson }: Pick<Workspace, "asPerson">) =>
  (await service.notices.listNotices({}, asPerson)).notices;

const still = new AbortController().signal;

/** Sends the digests as a sweep two minutes later does. */
const nextMinute = () =>
  sendDigests({ ...service.context, now: () => new Date(Date.now() + 120_000) }, still);

async function watchedZone(fields: { channel?: AlertChannel; channelTarget?: string } = {}) {
  const workspace = newWorkspace();
  const zoneId = await service.zone(workspace.workspaceId);
  const rule = await makeRule(service, workspace, { condition: seenIn(zoneId), ...fields });
  return { workspace, zoneId, rule, now: new Date() };
}

/** All alerts of a zone belong to one minute. */
async function raise({ workspace, zoneId, now }: Awaited<ReturnType<typeof watchedZone>>, count: number) {
  const context = { ...service.context, now: () => now };
  await applySightings(context, workspace.workspaceId, sightingsIn(zoneId, count));
}

test("a notice is read by each user for himself; reading it again keeps the time", async () => {
  const watched = await watchedZone();
  const { workspace, rule } = watched;
  const other = caller.user(workspace.workspaceId, "alerts", "view");
  await raise(watched, 2);
  const [newest, older] = await noticesOf(workspace);
  expect([newest, older]).toMatchObject([
    { kind: NoticeKind.ALERT, ruleId: rule.id },
    { kind: NoticeKind.ALERT, ruleId: rule.id },
  ]);
  const id = newest?.id ?? "";
  expect(id > (older?.id ?? "")).toBe(true);
  const keyed = { ...workspace.asPerson, idempotencyKey: "read-once" };
  const read = await service.notices.markNoticeRead({ id }, keyed);
  expect(await service.notices.markNoticeRead({ id }, keyed)).toEqual(read);
  expect(read.notice).toMatchObject({ id, ruleId: rule.id });
  const again = await Promise.all(
    [1, 2, 3].map(() => service.notices.markNoticeRead({ id }, workspace.asPerson)),
  );
  for (const { notice } of again) expect(notice?.readAt).toEqual(read.notice?.readAt);
  expect((await noticesOf(workspace)).map(({ readAt }) => readAt !== undefined)).toEqual([true, false]);
  expect((await noticesOf({ asPerson: other })).map(({ readAt }) => readAt)).toEqual([undefined, undefined]);
});

test("users without alerts see no notices; a notice of another workspace is NOT_FOUND", async () => {
  const watched = await watchedZone();
  await raise(watched, 1);
  const id = (await noticesOf(watched.workspace))[0]?.id ?? "";
  const viewer = caller.user(watched.workspace.workspaceId, "view");
  expect(await noticesOf({ asPerson: viewer })).toEqual([]);
  expect(await noticesOf(newWorkspace())).toEqual([]);
  const foreign = service.notices.markNoticeRead({ id }, newWorkspace().asPerson);
  expect(await codeOf(foreign)).toBe("NOT_FOUND");
  const admin = caller.user(watched.workspace.workspaceId, "admin");
  expect(await noticesOf({ asPerson: admin })).toHaveLength(1);
});

test("a rule reports 20 alerts of a minute one by one, and the others in one digest when the minute is over", async () => {
  const watched = await watchedZone();
  const { workspace, rule } = watched;
  // In several batches, as consumers do.
  for (const count of [5, 10, 130]) await raise(watched, count);
  expect((await service.alerts.listAlerts({}, workspace.asPerson)).page?.total).toBe(145);
  const kinds = async () => Map.groupBy(await noticesOf(workspace), ({ kind }) => kind);
  expect((await kinds()).get(NoticeKind.ALERT)).toHaveLength(20);
  await Promise.all([nextMinute(), nextMinute()]);
  expect((await kinds()).get(NoticeKind.ALERT_DIGEST)).toMatchObject([{ ruleId: rule.id, count: 125 }]);
});

test("the digest of a webhook rule is alert.digest with at most 100 ids; subscriptions get each alert and no digest", async () => {
  const [channel, subscriber] = [await startReceiver(), await startReceiver()];
  const watched = await watchedZone({ channel: AlertChannel.WEBHOOK, channelTarget: channel.url });
  const { workspace, rule } = watched;
  await service.webhooks.createWebhook(
    { webhook: { url: subscriber.url, events: ["*"] } },
    workspace.asProgram,
  );
  await raise(watched, 125);
  await nextMinute();
  await eventually(() => {
    expect(subscriber.received).toHaveLength(125);
    expect(channel.received).toHaveLength(21);
  });
  const digests = channel.received.filter(({ body }) => body.type === "alert.digest");
  expect(digests).toHaveLength(1);
  expect(digests[0]?.body.data).toMatchObject({ rule_id: rule.id, count: 105 });
  expect(digests[0]?.body.data.alert_ids).toHaveLength(100);
  expect(new Set(subscriber.received.map(({ body }) => body.type))).toEqual(new Set(["alert.raised"]));
  await Promise.all([channel.stop(), subscriber.stop()]);
});

test("notices, read marks and alerts of unknown tags are removed by their age; alerts of assets are kept", async () => {
  for (const [collection, indexes] of Object.entries(retention)) {
    const found = await systemCollection(service.mongo, collection).indexes();
    for (const { name, expireAfterSeconds } of indexes) {
      expect(found).toContainEqual(expect.objectContaining({ name, expireAfterSeconds }));
    }
  }
  const watched = await watchedZone();
  const { workspaceId } = watched.workspace;
  await makeRule(service, watched.workspace, { condition: unknownTag });
  const at = new Date();
  const order = { epoch: 0, sequence: 1 };
  await applySightings(service.context, workspaceId, [
    { id: "msg_1", kind: "unknown_tag", epc: "30AB", at, receivedAt: at, order },
    ...sightingsIn(watched.zoneId, 1),
  ]);
  expect(await alertsOf(service, watched.workspace)).toHaveLength(2);
  type Row = { _id: string; workspaceId: string; subject: string; expiresAt?: Date };
  const rows = await service.mongo.collection<Row>("alerts").find({ workspaceId }).toArray();
  const expiring = rows.filter(({ expiresAt }) => expiresAt);
  expect(expiring).toMatchObject([
    { subject: "epc:30AB", expiresAt: new Date(at.getTime() + 90 * 86_400_000) },
  ]);
});
