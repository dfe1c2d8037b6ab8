import { randomUUID } from "node:crypto";
import { WebhookStatus } from "@asset-register/proto/assetregister/notification/v1/webhook_pb";
import type { Principal } from "@asset-register/rpc";
import { AppError } from "@asset-register/runtime";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { newWorkspace, type RunningNotification, startNotification } from "./support.ts";

const names: Record<string, string[]> = {
  "hooks.example.com": ["93.184.215.14", "2a00:1450:4001:81b::200e"],
  "private.example.com": ["10.0.0.1"],
  "half.example.com": ["93.184.215.14", "127.0.0.2", "fc00::1"],
  "metadata.example.com": ["169.254.169.254"],
};

let service: RunningNotification;
beforeAll(async () => {
  service = await startNotification({
    resolve: async (hostname) => {
      const addresses = names[hostname];
      if (addresses === undefined) throw new Error("NXDOMAIN");
      return addresses;
    },
  });
});
afterAll(() => service.stop());

const create = (workspace = newWorkspace(), url = "https://hooks.example.com/in", events = ["*"]) =>
  service.webhooks.createWebhook({ url, events }, workspace.asProgram);

const errorOf = async (promise: Promise<unknown>): Promise<AppError> => {
  const error = await promise.catch((reason: unknown) => reason);
  if (!(error instanceof AppError)) throw new Error("expected a refusal", { cause: error });
  return error;
};

describe("a subscription", () => {
  test("shows its secret once, keeps it sealed, and is listed without it", async () => {
    const workspace = newWorkspace();
    const { webhook, secret } = await create(workspace, "https://hooks.example.com/in", [
      "asset.moved",
      "asset.moved",
    ]);
    expect(webhook).toMatchObject({ url: "https://hooks.example.com/in", events: ["asset.moved"], rev: 1n });
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);

    const { webhooks, page } = await service.webhooks.listWebhooks({}, workspace.asProgram);
    expect(webhooks).toMatchObject([{ id: webhook?.id, status: WebhookStatus.ACTIVE }]);
    expect(page).toMatchObject({ total: 1n, nextCursor: "" });

    const row = await service.store.mongo
      .collection("endpoints")
      .findOne({ workspaceId: workspace.workspaceId });
    expect(JSON.stringify(row)).not.toContain(secret.slice(6));
  });

  test("is nobody else's business: another workspace neither lists nor deletes it", async () => {
    const { webhook } = await create();
    const other = newWorkspace();
    expect((await service.webhooks.listWebhooks({}, other.asProgram)).webhooks).toEqual([]);
    const id = webhook?.id ?? "";
    expect(await errorOf(service.webhooks.deleteWebhook({ id }, other.asProgram))).toMatchObject({
      kind: "not_found",
    });
    const log = service.webhooks.listDeliveries({ webhookId: id }, other.asProgram);
    expect(await errorOf(log)).toMatchObject({ kind: "not_found" });
  });

  test("can be deleted, once", async () => {
    const workspace = newWorkspace();
    const id = (await create(workspace)).webhook?.id ?? "";
    await service.webhooks.deleteWebhook({ id }, workspace.asProgram);
    expect((await service.webhooks.listWebhooks({}, workspace.asProgram)).webhooks).toEqual([]);
    expect(await errorOf(service.webhooks.deleteWebhook({ id }, workspace.asProgram))).toMatchObject({
      kind: "not_found",
    });
  });

  test("the same Idempotency-Key twice at once makes one, and both answers hold its secret", async () => {
    const workspace = newWorkspace();
    const options = { ...workspace.asProgram, idempotencyKey: randomUUID() };
    const request = { url: "https://hooks.example.com/in", events: ["*"] };
    const answers = await Promise.all([1, 2].map(() => service.webhooks.createWebhook(request, options)));
    expect(answers[0]?.secret).toMatch(/^whsec_/);
    expect(answers[1]).toEqual(answers[0]);
    expect((await service.webhooks.listWebhooks({}, workspace.asProgram)).page?.total).toBe(1n);
  });

  test("a workspace has at most 20, also when they are made at once", async () => {
    const workspace = newWorkspace();
    for (let index = 0; index < 17; index += 1) await create(workspace);
    const made = await Promise.allSettled(Array.from({ length: 6 }, () => create(workspace)));
    expect(made.filter(({ status }) => status === "fulfilled")).toHaveLength(3);
    for (const refused of made.filter((one) => one.status === "rejected")) {
      expect(refused.reason).toMatchObject({ kind: "conflict", code: "WEBHOOK_LIMIT_REACHED" });
    }
    expect((await service.webhooks.listWebhooks({}, workspace.asProgram)).page?.total).toBe(20n);
  });

  test("the total of a list is as new as its rows", async () => {
    const workspace = newWorkspace();
    for (const expected of [1n, 2n]) {
      await create(workspace);
      expect((await service.webhooks.listWebhooks({}, workspace.asProgram)).page?.total).toBe(expected);
    }
  });
});

describe("what is refused", () => {
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
  ])("%s", async (_what, url) => {
    expect(await errorOf(create(newWorkspace(), url))).toMatchObject({
      kind: "invalid",
      code: "WEBHOOK_URL_UNSAFE",
      violations: [{ field: "url" }],
    });
  });

  test("a type that does not exist, no type, no URL", async () => {
    const bad = await errorOf(
      create(newWorkspace(), "https://hooks.example.com/", ["asset.moved", "asset.eaten"]),
    );
    expect(bad).toMatchObject({ code: "VALIDATION_FAILED", violations: [{ field: "events.1" }] });
    const none = await errorOf(create(newWorkspace(), "https://hooks.example.com/", []));
    expect(none).toMatchObject({ violations: [{ field: "events" }] });
    expect(await errorOf(create(newWorkspace(), ""))).toMatchObject({ violations: [{ field: "url" }] });
  });

  test("a key without the scope, and a person", async () => {
    const { asPerson, workspaceId } = newWorkspace();
    const key: Principal = { kind: "api_key", workspaceId, id: "key_1", scopes: ["webhooks:read"] };
    const request = { url: "https://hooks.example.com/", events: ["*"] };
    for (const options of [asPerson, { principal: key }]) {
      expect(await errorOf(service.webhooks.createWebhook(request, options))).toMatchObject({
        kind: "forbidden",
      });
    }
  });
});

test("a name that does not resolve is taken: every delivery checks again", async () => {
  const { webhook } = await create(newWorkspace(), "https://not-yet.example.com/");
  expect(webhook?.url).toBe("https://not-yet.example.com/");
});
