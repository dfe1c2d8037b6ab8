import { eventually } from "@asset-register/harness";
import { createKeyring, newId } from "@asset-register/runtime";
import { afterAll, expect, test } from "vitest";
import type { Endpoint } from "../../src/domain/webhooks/endpoint.ts";
import { newSecret } from "../../src/domain/webhooks/signing.ts";
import { createSigningKeys } from "../../src/sending/signing-keys.ts";
import { movements, receiverPool, subscribe } from "../delivering.ts";
import { newWorkspace, startNotification } from "../support.ts";

const receivers = receiverPool();
const service = await startNotification({}, { WEBHOOK_CONCURRENCY: "110" });
afterAll(async () => {
  await receivers.stop();
  await service.stop();
});

/** Endpoints of a workspace as its webhook rules have them, each with due deliveries. */
async function dueEndpoints(workspaceId: string, url: string, count: number): Promise<void> {
  const { mongo, stores } = service.context;
  const signingKeys = createSigningKeys(createKeyring(JSON.parse(service.env.KEYRING ?? "")));
  const ids = Array.from({ length: count }, () => newId("rul"));
  await mongo.transaction({}, async (session) => {
    for (const id of ids) {
      const endpoint: Endpoint = {
        ...{
          id,
          workspaceId,
          kind: "rule",
          url,
          events: [],
          status: "active",
          createdAt: new Date(),
          rev: 1,
        },
        secret: signingKeys.seal(id, newSecret()),
      };
      await stores.endpoints.insert(workspaceId, endpoint, session);
    }
  });
  const body = JSON.stringify({ id: "msg_slow" });
  await stores.deliveries.addOnce(
    ids.flatMap((endpointId) =>
      Array.from({ length: 6 }, (_, n) => ({
        ...{ workspaceId, endpointId, messageId: `msg_${n}`, type: "alert.raised" as const, body },
      })),
    ),
  );
}

test("120 slow endpoints of one workspace take its share, and do not delay the deliveries of another workspace", async () => {
  const slow = await receivers.start(() => {});
  const fast = await receivers.start();
  const other = newWorkspace();
  await subscribe(service, other, fast.url);
  await dueEndpoints(newId("wsp"), slow.url, 120);
  let sent = 0;
  // Again if a busy machine takes longer than the time-out of the slow attempts.
  await eventually(async () => {
    await eventually(() => expect(slow.holding.now).toBe(50));
    const begun = slow.received.length;
    if (begun > 50) slow.holding.most = 50;
    sent += 40;
    await service.publish(...movements(other, 40));
    await eventually(() => expect(new Set(fast.ids()).size).toBe(sent));
    // No slow attempt ended meanwhile, so none of its places was needed, and the share is a bound.
    expect(slow.received).toHaveLength(begun);
    expect(slow.holding).toEqual({ now: 50, most: 50 });
  });
});
