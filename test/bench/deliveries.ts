import { setTimeout as sleep } from "node:timers/promises";
import { newId } from "@asset-register/runtime";
import { Agent, request } from "undici";
import type { Endpoint } from "../../services/notification/src/domain/webhooks/endpoint.ts";
import {
  newSecret,
  signatureHeaders,
  signingKey,
} from "../../services/notification/src/domain/webhooks/signing.ts";
import type { Prepared, Side } from "./benchmark.ts";
import type { BenchPlatform } from "./platform.ts";
import { deliveryRows, openWebhooks, type Webhooks } from "./webhook-endpoints.ts";

const WORKSPACES = 10;
const ENDPOINTS_OF_EACH = 2;
/** Five for each endpoint. */
const IN_FLIGHT = 100;
/** A smaller backlog would mostly measure how endpoints are claimed. */
const MIN_BACKLOG = 2_000;
const ROWS_IN_INSERT = 2_000;
const POLL_MS = 10;
/** A sweep of the sender comes within 5 s. It then knows when the backlog is due. */
const SWEEP_MS = 5_500;

/** A message of the usual length. */
function message(workspaceId: string): { id: string; body: string } {
  const id = newId("msg");
  const data = {
    seq: 7,
    asset_id: newId("ast"),
    movement_id: newId("mov"),
    from: { location_id: newId("loc"), custodian_id: null },
    to: { location_id: newId("loc"), custodian_id: newId("cus") },
    reason: "transfer",
    ref: null,
    at: new Date().toISOString(),
    by: { kind: "user", id: newId("usr") },
  };
  const timestamp = new Date().toISOString();
  return {
    id,
    body: JSON.stringify({ id, type: "asset.moved", timestamp, workspace_id: workspaceId, data }),
  };
}

/** A backlog of deliveries of one sender, until each is received. */
export async function deliveries(bench: BenchPlatform): Promise<Prepared> {
  const service = bench.platform.services.notification;
  await service?.restart({ ROLES: "sender" });
  const webhooks = await openWebhooks(bench);
  const endpoints: Endpoint[] = [];
  for (let n = 0; n < WORKSPACES * ENDPOINTS_OF_EACH; n += 1) {
    const workspaceId = endpoints[n - (n % ENDPOINTS_OF_EACH)]?.workspaceId ?? newId("wsp");
    endpoints.push(await webhooks.subscribe(workspaceId));
  }
  return {
    benchmark: {
      name: "deliveries",
      work: `deliveries of one sender to ${endpoints.length} endpoints of ${WORKSPACES} workspaces, from a backlog that becomes due; baseline: a bare undici loop that signs and posts the same bodies, ${IN_FLIGHT} in flight`,
      goal: 0.5,
      ours: {
        processes: () => ({
          sender: service?.pid() ?? 0,
          receiver: webhooks.receiver.pid,
          ...bench.serverPids,
        }),
        ...backlogOf(webhooks, endpoints),
      },
      baseline: {
        processes: () => ({ loop: process.pid, receiver: webhooks.receiver.pid }),
        run: (milliseconds) => bareLoop(webhooks, milliseconds),
      },
    },
    async stop() {
      await webhooks.stop();
      await service?.restart();
    },
  };
}

/** The backlog grows with the speed of the rounds before, so that a round takes about as long as asked. */
function backlogOf(webhooks: Webhooks, endpoints: Endpoint[]): Pick<Side, "prepare" | "run"> {
  const rows = deliveryRows(webhooks.mongo);
  let perMillisecond = 0.5;
  let count = 0;
  let dueAt = new Date();
  return {
    async prepare(milliseconds) {
      count = Math.max(MIN_BACKLOG, Math.ceil(perMillisecond * milliseconds));
      dueAt = new Date(Date.now() + SWEEP_MS + count / 10);
      const made = Array.from({ length: count }, (_, n) => {
        const { id: endpointId, workspaceId } = endpoints[n % endpoints.length] as Endpoint;
        const { id: messageId, body } = message(workspaceId);
        return {
          ...{ _id: newId("dlv"), workspaceId, endpointId, messageId, body, type: "asset.moved" },
          ...{ status: "pending", attempts: 0, nextAttemptAt: dueAt, queuedAt: new Date() },
          createdAt: new Date(),
        };
      });
      for (let from = 0; from < made.length; from += ROWS_IN_INSERT) {
        await rows.insertMany(made.slice(from, from + ROWS_IN_INSERT));
      }
      await webhooks.reset();
    },
    async run() {
      await sleep(dueAt.getTime() - Date.now());
      const started = performance.now();
      while ((await webhooks.received()) < count) await sleep(POLL_MS);
      const milliseconds = performance.now() - started;
      perMillisecond = count / milliseconds;
      return { operations: count, milliseconds };
    },
  };
}

async function bareLoop({ receiver }: Webhooks, milliseconds: number) {
  const dispatcher = new Agent({ connections: IN_FLIGHT, pipelining: 1 });
  const key = signingKey(newSecret());
  const started = performance.now();
  let operations = 0;
  const loop = async (): Promise<void> => {
    while (performance.now() - started < milliseconds) {
      const { id, body } = message("wsp_01k8f70a4bfhkv5wq2t4r7z1xe");
      const timestamp = Math.floor(Date.now() / 1000);
      const headers = {
        "content-type": "application/json",
        ...signatureHeaders({ id, timestamp, body }, key),
      };
      const response = await request(`${receiver.origin}/hook`, {
        dispatcher,
        method: "POST",
        headers,
        body,
      });
      await response.body.dump();
      operations += 1;
    }
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, loop));
  const taken = performance.now() - started;
  await dispatcher.close();
  return { operations, milliseconds: taken };
}
