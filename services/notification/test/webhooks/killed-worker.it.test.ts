import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { eventually } from "@asset-register/harness";
import {
  DeliveryStatus,
  WebhookService,
} from "@asset-register/proto/assetregister/notification/v1/webhook_pb";
import { afterAll, expect, test } from "vitest";
import { movementEvent } from "../events.ts";
import { startReceiver, verifies } from "../receiver.ts";
import { newWorkspace, startNotification } from "../support.ts";

// Its lease, of twice the time-out, ends soon.
const service = await startNotification({}, { WEBHOOK_TIMEOUT_MS: "5000" });
afterAll(() => service.stop());

function startProcess(): ChildProcess {
  return spawn(process.execPath, [path.join(import.meta.dirname, "../../src/main.ts")], {
    env: { PATH: process.env.PATH, ...service.env, ROLES: "sender" },
    stdio: ["ignore", "inherit", "inherit"],
  });
}

test("a delivery whose worker is killed is made again by another worker, with the same id", async () => {
  // Only the child process delivers.
  await service.stopProcess(service.app);
  const api = await service.start({ ROLES: "api,worker" });
  const workspace = newWorkspace();
  const target = await startReceiver((response, _got, nth) => {
    // The first attempt gets no answer until its sender is dead.
    if (nth > 1) response.writeHead(200).end();
  });
  const webhooks = service.client(WebhookService, "gateway", api);
  const child = startProcess();
  let successor: ChildProcess | undefined;
  try {
    const { webhook, secret } = await webhooks.createWebhook(
      { webhook: { url: target.url, events: ["*"] } },
      workspace.asProgram,
    );
    await service.publish(movementEvent(workspace.workspaceId, "ast_1", 1));
    await eventually(() => expect(target.received).toHaveLength(1));
    child.kill("SIGKILL");
    await once(child, "exit");
    successor = startProcess();
    await eventually(() => expect(target.received.length).toBeGreaterThan(1));
    expect(new Set(target.ids()).size).toBe(1);
    expect(target.received.every((got) => verifies(got, secret))).toBe(true);
    const webhookId = webhook?.id ?? "";
    await eventually(async () => {
      const { deliveries } = await webhooks.listDeliveries({ webhookId }, workspace.asProgram);
      expect(deliveries).toMatchObject([{ status: DeliveryStatus.DELIVERED }]);
      // More if a busy machine has not read the answer in time.
      expect(deliveries[0]?.attempts).toBeGreaterThan(1);
    });
  } finally {
    child.kill("SIGKILL");
    successor?.kill("SIGKILL");
    await target.stop();
  }
});
