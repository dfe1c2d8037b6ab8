import { randomUUID } from "node:crypto";
import { WebhookStatus } from "@asset-register/proto/assetregister/notification/v1/webhook_pb";
import { type Caller, caller, codeOf, failure } from "@asset-register/service-harness";
import { afterAll, describe, expect, test } from "vitest";
import { newWorkspace, startNotification } from "../support.ts";

const names: Record<string, string[]> = {
  "hooks.example.com": ["93.184.215.14", "2a00:1450:4001:81b::200e"],
  "private.example.com": ["10.0.0.1"],
  "half.example.com": ["93.184.215.14", "127.0.0.2", "fc00::1"],
  "metadata.example.com": ["169.254.169.254"],
};

const service = await startNotification({
  resolve: async (hostname) => {
    const addresses = names[hostname];
    if (addresses === undefined) throw new Error("NXDOMAIN");
    return addresses;
  },
});
afterAll(() => service.stop());

const create = (workspace = newWorkspace(), url = "https://hooks.example.com/in", events = ["*"]) =>
  service.webhooks.createWebhook({ webhook: { url, events } }, workspace.asProgram);

describe("a subscription", () => {
  test("a new subscription shows its secret once, stores it sealed, and is listed without it", async () => {
    const workspace = newWorkspace();
    const { webhook, secret } = await create(workspace, "https://hooks.example.com/in", [
      "asset.moved",
      "asset.moved",
    ]);
    expect(webhook).toMatchObject({ url: "https://hooks.example.com/in", events: ["asset.moved"], rev: 1 });
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);

    const { webhooks, page } = await service.webhooks.listWebhooks({}, workspace.asProgram);
    expect(webhooks).toMatchObject([{ id: webhook?.id, status: WebhookStatus.ACTIVE }]);
    expect(page?.total).toBe(1);
    expect(page?.nextCursor).toBeUndefined();

    const { workspaceId } = workspace;
    const row = await service.mongo.collection("endpoints").findOne({ workspaceId });
    expect(row).toMatchObject({ secret: { keyId: "k1" } });
    expect(JSON.stringify(row)).not.toContain(secret.slice(6));
  });

  test("another workspace can neither list nor delete a subscription, nor read its log", async () => {
    const { webhook } = await create();
    const other = newWorkspace();
    expect((await service.webhooks.listWebhooks({}, other.asProgram)).webhooks).toEqual([]);
    const id = webhook?.id ?? "";
    expect(await codeOf(service.webhooks.deleteWebhook({ id }, other.asProgram))).toBe("NOT_FOUND");
    const log = service.webhooks.listDeliveries({ webhookId: id }, other.asProgram);
    expect(await codeOf(log)).toBe("NOT_FOUND");
  });

  test("a subscription can be deleted once", async () => {
    const workspace = newWorkspace();
    const id = (await create(workspace)).webhook?.id ?? "";
    await service.webhooks.deleteWebhook({ id }, workspace.asProgram);
    expect((await service.webhooks.listWebhooks({}, workspace.asProgram)).webhooks).toEqual([]);
    expect(await codeOf(service.webhooks.deleteWebhook({ id }, workspace.asProgram))).toBe("NOT_FOUND");
  });

  test("concurrent calls with one Idempotency-Key create one subscription, and both answers have its secret", async () => {
    const workspace = newWorkspace();
    const options = { ...workspace.asProgram, idempotencyKey: randomUUID() };
    const request = { webhook: { url: "https://hooks.example.com/in", events: ["*"] } };
    const answers = await Promise.all([1, 2].map(() => service.webhooks.createWebhook(request, options)));
    expect(answers[0]?.secret).toMatch(/^whsec_/);
    expect(answers[1]).toEqual(answers[0]);
    expect((await service.webhooks.listWebhooks({}, workspace.asProgram)).page?.total).toBe(1);
  });

  test("a repeat does not show the secret again after its overlap, nor after the subscription is deleted", async () => {
    const { asProgram } = newWorkspace();
    const request = { webhook: { url: "https://hooks.example.com/in", events: ["*"] } };
    const create = () => service.webhooks.createWebhook(request, { ...asProgram, idempotencyKey: "create" });
    const id = (await create()).webhook?.id ?? "";
    const rotate = () =>
      service.webhooks.rotateWebhookSecret(
        { id, overlapSeconds: 0 },
        { ...asProgram, idempotencyKey: "rotate" },
      );
    const rotated = await rotate();
    expect(await codeOf(create())).toBe("CONFLICT");
    expect(await rotate()).toEqual(rotated);
    await service.webhooks.deleteWebhook({ id }, asProgram);
    expect(await codeOf(rotate())).toBe("CONFLICT");
  });

  test("concurrent creations at the limit: a workspace gets 20 subscriptions, the others WEBHOOK_LIMIT_REACHED", async () => {
    const workspace = newWorkspace();
    for (let index = 0; index < 17; index += 1) await create(workspace);
    const failures = await Promise.all(Array.from({ length: 6 }, () => failure(create(workspace))));
    expect(failures.filter((error) => error === undefined)).toHaveLength(3);
    for (const error of failures.filter((one) => one !== undefined)) {
      expect(error).toMatchObject({ kind: "conflict", code: "WEBHOOK_LIMIT_REACHED" });
    }
    expect((await service.webhooks.listWebhooks({}, workspace.asProgram)).page?.total).toBe(20);
  });

  test("the total of a list is as new as its rows", async () => {
    const workspace = newWorkspace();
    for (const expected of [1, 2]) {
      await create(workspace);
      expect((await service.webhooks.listWebhooks({}, workspace.asProgram)).page?.total).toBe(expected);
    }
  });
});

describe("a creation is refused", () => {
  test.each([
    ["a private address", "https://private.example.com/"],
    ["one private address among public ones", "https://half.example.com/"],
    ["a cloud's metadata", "https://metadata.example.com/"],
    ["a literal address", "https://93.184.215.14/"],
    ["a literal private address outside the allowed networks", "http://10.0.0.1/"],
    ["a disguised loopback address", "http://2130706433/"],
    ["plain http to a public name", "http://hooks.example.com/"],
    ["an internal name", "https://register.default.svc.cluster.local/"],
    ["user info", "https://a:b@hooks.example.com/"],
    ["no URL", "nonsense"],
  ])("for %s: WEBHOOK_URL_UNSAFE", async (_what, url) => {
    expect(await failure(create(newWorkspace(), url))).toMatchObject({
      kind: "invalid",
      code: "WEBHOOK_URL_UNSAFE",
      violations: [{ field: "url" }],
    });
  });

  test("for an unknown type, no type and no URL: VALIDATION_FAILED with the field", async () => {
    const bad = await failure(
      create(newWorkspace(), "https://hooks.example.com/", ["asset.moved", "asset.eaten"]),
    );
    expect(bad).toMatchObject({ code: "VALIDATION_FAILED", violations: [{ field: "events.1" }] });
    const none = await failure(create(newWorkspace(), "https://hooks.example.com/", []));
    expect(none).toMatchObject({ violations: [{ field: "events" }] });
    expect(await failure(create(newWorkspace(), ""))).toMatchObject({ violations: [{ field: "url" }] });
  });

  test("for a key without the scope and for a person without admin: FORBIDDEN", async () => {
    const { asPerson, workspaceId } = newWorkspace();
    const callers: Caller[] = [asPerson, caller.apiKey(workspaceId, "webhooks:read")];
    const webhook = { url: "https://hooks.example.com/", events: ["*"] };
    for (const by of callers) {
      expect(await failure(service.webhooks.createWebhook({ webhook }, by))).toMatchObject({
        kind: "forbidden",
      });
    }
  });
});

test("a URL whose name does not resolve is accepted, because each delivery checks again", async () => {
  const { webhook } = await create(newWorkspace(), "https://not-yet.example.com/");
  expect(webhook?.url).toBe("https://not-yet.example.com/");
});
