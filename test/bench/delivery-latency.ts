import { setTimeout as sleep } from "node:timers/promises";
import { connectKafka, createProducer, encodeHeaders } from "@asset-register/events";
import { ActorKind } from "@asset-register/proto/assetregister/common/v1/actor_pb";
import { topics } from "@asset-register/proto/topics";
import { createLogger, createMetrics, newId } from "@asset-register/runtime";
import { create, toBinary } from "@bufbuild/protobuf";
import { timestampNow } from "@bufbuild/protobuf/wkt";
import { testMessage } from "../../services/notification/src/domain/webhooks/payload.ts";
import { deliveryOf } from "../../services/notification/src/operations/webhooks/enqueue-messages.ts";
import type { Prepared, Side } from "./benchmark.ts";
import { startBaseline } from "./child.ts";
import type { BenchPlatform } from "./platform.ts";
import { deliveryRows, openWebhooks, type Webhooks } from "./webhook-endpoints.ts";

const PER_SECOND = 50;
const POLL_MS = 20;
const DEAD_DELIVERIES = 10_000;
const SETTLE_MS = 3_000;
/** Nobody listens there. */
const DEAD_URL = "http://127.0.0.1:1/hook";

type Events = Awaited<ReturnType<typeof openEvents>>;

/** From the event of a movement in Kafka to its arrival at the receiver, against a bare consumer that posts. */
export async function deliveryLatency(bench: BenchPlatform): Promise<Prepared> {
  const [webhooks, events] = [await openWebhooks(bench), await openEvents(bench)];
  const [workspaceId, bareWorkspace] = [newId("wsp"), newId("wsp")];
  await webhooks.subscribe(workspaceId);
  const bare = await startBaseline("baseline-deliveries.ts", {
    ...{ BROKERS: bench.kafkaBrokers.join(","), TOPIC: `${bench.topicPrefix}${topics.movement.name}` },
    ...{ WORKSPACE: bareWorkspace, RECEIVER: `${webhooks.receiver.origin}/hook` },
  });
  return {
    benchmark: {
      name: "delivery-latency",
      work: `from an event in Kafka to its arrival at the receiver, 99th percentile, ${PER_SECOND} a second; baseline: a bare eachBatch that signs and posts each event`,
      compared: "p99",
      ours: latencySide(bench, webhooks, events, workspaceId),
      baseline: latencySide(bench, webhooks, events, bareWorkspace),
    },
    async stop() {
      await bare.stop();
      await events.stop();
      await webhooks.stop();
    },
  };
}

/** The same latency of a healthy endpoint, while ten thousand deliveries wait for a dead endpoint. */
export async function deliveryIsolation(bench: BenchPlatform): Promise<Prepared> {
  const [webhooks, events] = [await openWebhooks(bench), await openEvents(bench)];
  const [workspaceId, deadWorkspace] = [newId("wsp"), newId("wsp")];
  await webhooks.subscribe(workspaceId);
  const dead = await webhooks.subscribe(deadWorkspace, DEAD_URL);
  const rows = deliveryRows(webhooks.mongo);
  const side = latencySide(bench, webhooks, events, workspaceId);
  const backlog = () =>
    Array.from({ length: DEAD_DELIVERIES }, () =>
      deliveryOf(testMessage(deadWorkspace, dead.id, newId("msg"), new Date()), dead.id),
    );
  return {
    benchmark: {
      name: "delivery-isolation",
      work: `delivery-latency of one endpoint while ${DEAD_DELIVERIES} deliveries wait for a dead endpoint of another workspace; baseline: without them`,
      compared: "p99",
      goal: 1.5,
      ours: {
        ...side,
        async prepare() {
          await webhooks.deliveries.addOnce(backlog());
          // Until the sender knows them: what is measured is that they wait.
          await sleep(SETTLE_MS);
        },
      },
      baseline: {
        ...side,
        prepare: () => rows.deleteMany({ workspaceId: deadWorkspace, endpointId: dead.id }),
      },
    },
    async stop() {
      await rows.deleteMany({ workspaceId: deadWorkspace, endpointId: dead.id });
      await events.stop();
      await webhooks.stop();
    },
  };
}

function latencySide(
  bench: BenchPlatform,
  { receiver, received, reset }: Webhooks,
  { publish }: Events,
  workspaceId: string,
): Side {
  return {
    processes: () => ({
      notification: bench.platform.services.notification?.pid() ?? 0,
      receiver: receiver.pid,
      ...bench.serverPids,
    }),
    async run(milliseconds) {
      await reset();
      const started = performance.now();
      let sent = 0;
      for (; performance.now() - started < milliseconds; sent += 1) {
        const next = (sent * 1000) / PER_SECOND;
        await sleep(Math.max(0, next - (performance.now() - started)));
        void publish(workspaceId);
      }
      while ((await received()) < sent) await sleep(POLL_MS);
      const taken = performance.now() - started;
      const latencies = (await reset()).latencies.toSorted((a, b) => a - b);
      const at = (part: number) => latencies[Math.ceil(latencies.length * part) - 1] ?? 0;
      return { operations: sent, milliseconds: taken, p50: at(0.5), p99: at(0.99) };
    },
  };
}

/** Publishes movements, as the register does. */
async function openEvents({ kafkaBrokers: brokers, topicPrefix }: BenchPlatform) {
  const logger = createLogger({ service: "bench", level: "error" });
  const metrics = createMetrics({ service: "bench" });
  const kafka = connectKafka({ brokers, topicPrefix, clientId: "bench", logger });
  const topic = topics.movement;
  const producer = createProducer({ kafka, logger, metrics, topics: [topic], timeoutMs: 60_000 });
  await producer.connect();
  let sequence = 0;
  return {
    async publish(workspaceId: string): Promise<void> {
      sequence += 1;
      const assetId = newId("ast");
      const movement = {
        ...{ id: newId("mov"), assetId, fromLocationId: newId("loc"), toLocationId: newId("loc") },
        ...{ reason: "transfer", at: timestampNow(), by: { kind: ActorKind.USER, id: newId("usr") } },
      };
      const change = { case: "moved" as const, value: { movement } };
      const header = { id: newId("msg"), type: "asset.moved", source: "/bench", workspaceId, sequence };
      await producer.send([
        {
          ...{ topic, key: `${workspaceId}:${assetId}` },
          value: toBinary(topic.schema, create(topic.schema, { change })),
          headers: encodeHeaders({
            ...header,
            ...{ subject: assetId, time: new Date(), epoch: 0, schema: topic.schema.typeName },
          }),
        },
      ]);
    },
    stop: () => producer.disconnect(),
  };
}
