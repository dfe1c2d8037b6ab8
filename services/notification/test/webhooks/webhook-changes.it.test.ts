import { randomUUID } from "node:crypto";
import { eventually } from "@asset-register/harness";
import {
  DeliveryStatus,
  type Webhook,
  type WebhookSchema,
  WebhookStatus,
} from "@asset-register/proto/assetregister/notification/v1/webhook_pb";
import { codeOf, failure } from "@asset-register/service-harness";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { afterAll, afterEach, describe, expect, test } from "vitest";
import { log, movements, receiverPool, subscribe } from "../delivering.ts";
import { verifiesWith } from "../receiver.ts";
import { newWorkspace, startNotification, type Workspace } from "../support.ts";

const receivers = receiverPool();
const service = await startNotification({ resolve: async () => ["10.0.0.7"] });
afterAll(() => service.stop());
afterEach(() => receivers.stop());

type Change = MessageInitShape<typeof WebhookSchema>;

const update = ({ asProgram }: Workspace, webhook: Change, ifRevIn: number[] = []) => {
  const updateMask = { paths: Object.keys(webhook).filter((name) => name !== "id") };
  return service.webhooks.updateWebhook({ webhook, updateMask, ifRevIn }, asProgram);
};
const get = async ({ asProgram }: Workspace, id: string): Promise<Webhook | undefined> =>
  (await service.webhooks.getWebhook({ id }, asProgram)).webhook;

describe("a change", () => {
  test("url, events and status are changed and audited by origin; the same values again change nothing", async () => {
    const workspace = newWorkspace();
    const { id } = await subscribe(service, workspace, "http://127.0.0.1:9/s3cr3t");
    const url = "http://127.0.0.1:8/0ther";
    const change = { id, url, events: ["asset.moved"], status: WebhookStatus.DISABLED };
    const { webhook } = await update(workspace, change);
    expect(webhook).toMatchObject({ ...change, rev: 2 });
    expect(await get(workspace, id)).toEqual(webhook);
    expect((await update(workspace, change)).webhook?.rev).toBe(2);
    await eventually(() => {
      const entries = service.auditEntries(workspace.workspaceId);
      const updated = entries.filter(({ action }) => action === "webhook.updated");
      expect(updated).toMatchObject([
        {
          subjectId: id,
          changes: {
            url: ["http://127.0.0.1:9", "http://127.0.0.1:8"],
            events: ["*", "asset.moved"],
            status: ["active", "disabled"],
          },
        },
      ]);
      expect(JSON.stringify(entries)).not.toMatch(/s3cr3t|0ther/);
    });
  });

  test.each([
    ["http://10.0.0.1/", "WEBHOOK_URL_UNSAFE"],
    ["https://private.example.com/", "WEBHOOK_URL_UNSAFE"],
    ["", "VALIDATION_FAILED"],
  ])("the new URL %s is checked as at creation: %s", async (url, code) => {
    const workspace = newWorkspace();
    const { id } = await subscribe(service, workspace, "http://127.0.0.1:9/");
    expect(await failure(update(workspace, { id, url }))).toMatchObject({
      code,
      violations: [{ field: "url" }],
    });
    expect(await get(workspace, id)).toMatchObject({ url: "http://127.0.0.1:9/", rev: 1 });
  });

  test("404 comes before 412; another revision changes nothing", async () => {
    const workspace = newWorkspace();
    const { id } = await subscribe(service, workspace, "http://127.0.0.1:9/");
    const change = { id, status: WebhookStatus.DISABLED };
    const { asProgram } = newWorkspace();
    const other = { ...workspace, asProgram };
    expect(await codeOf(update(other, change, [9]))).toBe("NOT_FOUND");
    expect(await codeOf(service.webhooks.rotateWebhookSecret({ id }, asProgram))).toBe("NOT_FOUND");
    expect(await codeOf(service.webhooks.testWebhook({ id }, asProgram))).toBe("NOT_FOUND");
    expect(await codeOf(service.webhooks.getWebhook({ id }, asProgram))).toBe("NOT_FOUND");
    expect(await codeOf(update(workspace, change, [9]))).toBe("PRECONDITION_FAILED");
    expect(await get(workspace, id)).toMatchObject({ status: WebhookStatus.ACTIVE, rev: 1 });
  });

  test("concurrent changes with the same If-Match: one is made, the other gets PRECONDITION_FAILED", async () => {
    const workspace = newWorkspace();
    const { id } = await subscribe(service, workspace, "http://127.0.0.1:9/");
    const changes = ["asset.moved", "checkout.created"].map((type) => ({ id, events: [type] }));
    const codes = await Promise.all(changes.map((change) => failure(update(workspace, change, [1]))));
    expect(codes.map((error) => error?.code ?? "changed").toSorted()).toEqual([
      "PRECONDITION_FAILED",
      "changed",
    ]);
    expect(await get(workspace, id)).toMatchObject({ rev: 2 });
  });

  test("setting the status to active clears the failures; a disabled subscription gets nothing meanwhile", async () => {
    const workspace = newWorkspace();
    const target = await receivers.start();
    const { id } = await subscribe(service, workspace, target.url);
    const { workspaceId } = workspace;
    const rows = service.mongo.collection<{ _id: string; workspaceId: string } & Record<string, unknown>>(
      "endpoints",
    );
    await rows.updateOne({ workspaceId, _id: id }, { $set: { failures: 9, failingSince: new Date(0) } });
    await update(workspace, { id, status: WebhookStatus.DISABLED });
    await service.publish(...movements(workspace, 1));
    const witness = newWorkspace();
    await subscribe(service, witness, target.url);
    await service.publish(...movements(witness, 1));
    await eventually(() => expect(target.received).toHaveLength(1));
    await update(workspace, { id, status: WebhookStatus.ACTIVE });
    const row = await rows.findOne({ workspaceId, _id: id });
    expect(row).toMatchObject({ failures: 0, status: "active" });
    expect(row?.failingSince).toBeUndefined();
    expect(target.received[0]?.body.workspace_id).toBe(witness.workspaceId);
  });
});

describe("a rotation", () => {
  const rotate = ({ asProgram }: Workspace, id: string, overlapSeconds?: number) =>
    service.webhooks.rotateWebhookSecret(
      { id, ...(overlapSeconds !== undefined && { overlapSeconds }) },
      asProgram,
    );

  test("during the overlap both secrets sign; after another one without overlap only the newest does", async () => {
    const workspace = newWorkspace();
    const target = await receivers.start();
    const { id, secret: first } = await subscribe(service, workspace, target.url);
    const { webhook, secret: second } = await rotate(workspace, id);
    expect(webhook?.rev).toBe(2);
    expect(second).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    await service.webhooks.testWebhook({ id }, workspace.asProgram);
    await eventually(() => expect(target.received).toHaveLength(1));
    expect(verifiesWith(target.received[0]!, { current: second, previous: first })).toBe(true);
    const { secret: third } = await rotate(workspace, id, 0);
    await service.webhooks.testWebhook({ id }, workspace.asProgram);
    await eventually(() => expect(target.received).toHaveLength(2));
    expect(verifiesWith(target.received[1]!, { current: third })).toBe(true);
    const { workspaceId } = workspace;
    const row = await service.mongo.collection("endpoints").findOne({ workspaceId });
    for (const secret of [first, second, third]) expect(JSON.stringify(row)).not.toContain(secret.slice(6));
    await eventually(() => {
      const rotated = service
        .auditEntries(workspaceId)
        .filter(({ action }) => action === "webhook.secret_rotated");
      expect(rotated.map(({ changes }) => changes)).toEqual([
        { overlap_seconds: [undefined, "86400"] },
        { overlap_seconds: [undefined, "0"] },
      ]);
    });
  });

  test("an overlap of more than 7 days is refused; a repeat with the same Idempotency-Key shows the same secret", async () => {
    const workspace = newWorkspace();
    const { id } = await subscribe(service, workspace, "http://127.0.0.1:9/");
    expect(await failure(rotate(workspace, id, 7 * 86_400 + 1))).toMatchObject({
      violations: [{ field: "overlap_seconds" }],
    });
    const options = { ...workspace.asProgram, idempotencyKey: randomUUID() };
    const repeats = [1, 2].map(() => service.webhooks.rotateWebhookSecret({ id }, options));
    const [one, two] = await Promise.all(repeats);
    expect(two).toEqual(one);
    expect(await get(workspace, id)).toMatchObject({ rev: 2 });
  });
});

describe("a test and a retry", () => {
  test("a test goes to the subscription alone, whatever it asks for, and is in its log", async () => {
    const workspace = newWorkspace();
    const [target, other] = [await receivers.start(), await receivers.start()];
    const { id } = await subscribe(service, workspace, target.url, ["alert.raised"]);
    await subscribe(service, workspace, other.url);
    const { delivery } = await service.webhooks.testWebhook({ id }, workspace.asProgram);
    expect(delivery).toMatchObject({ type: "webhook.test", status: DeliveryStatus.PENDING });
    await eventually(async () =>
      expect(await log(service, workspace, id)).toMatchObject([
        { id: delivery?.id, status: DeliveryStatus.DELIVERED, lastResponseStatus: 204 },
      ]),
    );
    expect(target.received.map(({ body }) => [body.type, body.data])).toEqual([
      ["webhook.test", { webhook_id: id }],
    ]);
    expect(other.received).toEqual([]);
  });

  test("a retry sends the same id with a new signature; the log has duration and beginning of the answer", async () => {
    const workspace = newWorkspace();
    const target = await receivers.start((response) => void response.writeHead(200).end("é".repeat(4000)));
    const { id: webhookId } = await subscribe(service, workspace, target.url);
    await service.publish(...movements(workspace, 1));
    const delivered = () =>
      eventually(async () => {
        const [delivery] = await log(service, workspace, webhookId);
        expect(delivery).toMatchObject({ status: DeliveryStatus.DELIVERED, attempts: 1 });
        return delivery!;
      });
    const { id, lastResponseExcerpt, lastDurationMs } = await delivered();
    expect(lastResponseExcerpt).toBe("é".repeat(512));
    expect(lastDurationMs).toBeGreaterThanOrEqual(0);
    const retry = () => service.webhooks.retryDelivery({ webhookId, id }, workspace.asProgram);
    expect((await retry()).delivery).toMatchObject({ id, status: DeliveryStatus.PENDING, attempts: 0 });
    await eventually(() => expect(target.received).toHaveLength(2));
    expect(await delivered()).toMatchObject({ id });
    const [first, second] = target.received;
    expect(second?.text).toBe(first?.text);
    expect(second?.headers["webhook-id"]).toBe(first?.headers["webhook-id"]);
  });

  test("a pending delivery is not retried, also by two calls at once: one wins, the other gets DELIVERY_NOT_FINAL", async () => {
    const workspace = newWorkspace();
    const target = await receivers.start(
      (response, _got, nth) => void (nth === 1 && response.writeHead(204).end()),
    );
    const { id: webhookId } = await subscribe(service, workspace, target.url);
    const { delivery } = await service.webhooks.testWebhook({ id: webhookId }, workspace.asProgram);
    const id = delivery?.id ?? "";
    await eventually(async () =>
      expect(await log(service, workspace, webhookId)).toMatchObject([{ status: DeliveryStatus.DELIVERED }]),
    );
    const retry = () => codeOf(service.webhooks.retryDelivery({ webhookId, id }, workspace.asProgram));
    expect((await Promise.all([retry(), retry()])).toSorted()).toEqual(["DELIVERY_NOT_FINAL", undefined]);
    expect(await retry()).toBe("DELIVERY_NOT_FINAL");
    const foreign = service.webhooks.retryDelivery({ webhookId, id: "dlv_none" }, workspace.asProgram);
    expect(await codeOf(foreign)).toBe("NOT_FOUND");
  });

  test("a disabled subscription is neither tested nor retried: CONFLICT", async () => {
    const workspace = newWorkspace();
    const target = await receivers.start();
    const { id: webhookId } = await subscribe(service, workspace, target.url);
    const { delivery } = await service.webhooks.testWebhook({ id: webhookId }, workspace.asProgram);
    await eventually(async () =>
      expect(await log(service, workspace, webhookId)).toMatchObject([{ status: DeliveryStatus.DELIVERED }]),
    );
    await update(workspace, { id: webhookId, status: WebhookStatus.DISABLED });
    const { asProgram } = workspace;
    const id = delivery?.id ?? "";
    expect(await codeOf(service.webhooks.testWebhook({ id: webhookId }, asProgram))).toBe("CONFLICT");
    expect(await codeOf(service.webhooks.retryDelivery({ webhookId, id }, asProgram))).toBe("CONFLICT");
  });
});
