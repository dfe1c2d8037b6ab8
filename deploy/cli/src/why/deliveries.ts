import {
  type Delivery,
  FAILING_AFTER,
} from "../../../../services/notification/src/domain/webhooks/delivery.ts";
import { type Endpoint, isNewFor } from "../../../../services/notification/src/domain/webhooks/endpoint.ts";
import {
  type Message,
  messageId,
  wants,
} from "../../../../services/notification/src/domain/webhooks/message.ts";
import { createWorkspaceStore } from "../../../../services/notification/src/store/projections/workspaces.ts";
import { deliveryRecords } from "../../../../services/notification/src/store/webhooks/deliveries.ts";
import { endpointRecords } from "../../../../services/notification/src/store/webhooks/endpoints.ts";
import { passed, type Step, type Steps, stopped, waits } from "./step.ts";
import type { Tools } from "./tools.ts";

/** The fields that identify a message, and the time at which its event was published. */
export type Sent = Pick<Message, "workspaceId" | "type" | "cause" | "publishedAt">;

const SENDERS =
  "Does a process of notification with the role sender run? deploy/helm/runbooks/webhook-backlog.md";

/** Follows a message to the subscriptions of its workspace, or to one of them. */
export async function* followMessage(tools: Tools, sent: Sent, endpointId?: string): Steps {
  const mongo = await tools.database("notification");
  const { workspaceId } = sent;
  if (await createWorkspaceStore(mongo).isDisabled(workspaceId)) {
    yield stopped("workspace", `${workspaceId} is disabled: no deliveries are made.`);
    return;
  }
  const endpoints = endpointRecords.store(mongo);
  const all = await endpoints.find(workspaceId, { kind: "subscription" }, { sort: { _id: 1 } });
  const asked = all.filter(({ id }) => endpointId === undefined || id === endpointId);
  if (asked.length === 0)
    yield stopped(
      "subscription",
      `${workspaceId} has no webhook subscription${endpointId ? ` ${endpointId}` : ""}.`,
    );
  for (const endpoint of asked) {
    const delivery = await deliveryRecords
      .store(mongo)
      .findOne(workspaceId, { endpointId: endpoint.id, messageId: messageId(sent) });
    yield subscriptionStep(endpoint, sent, delivery);
    if (delivery) yield* followDelivery(tools, delivery, endpoint);
  }
}

function subscriptionStep(
  endpoint: Endpoint,
  { type, publishedAt }: Sent,
  delivery: Delivery | undefined,
): Step {
  const { id, events, status, activeSince, createdAt } = endpoint;
  if (delivery) return passed("subscription", `${id} asks for ${type}: delivery ${delivery.id}.`);
  if (!wants(events, type))
    return stopped(
      "subscription",
      `${id} asks for ${events.join(", ")}, not for ${type}.`,
      "PATCH events of the webhook.",
    );
  if (status === "disabled")
    return stopped(
      "subscription",
      `${id} is disabled, and was when the event came.`,
      "PATCH status of the webhook to active.",
    );
  if (publishedAt && !isNewFor(endpoint, publishedAt))
    return stopped(
      "subscription",
      `${id} is active since ${(activeSince ?? createdAt).toISOString()}. The event was published before.`,
    );
  return stopped(
    "subscription",
    `${id} has no delivery of it, though it asks for ${type} now.`,
    "It was disabled or asked for other events then, or the delivery ended more than 45 days ago.",
  );
}

/** Follows a delivery to its receiver. */
export async function* followDelivery(
  tools: Tools,
  delivery: Delivery,
  endpoint: Endpoint | undefined,
): Steps {
  const mongo = await tools.database("notification");
  const { status, lastError = "unknown error", attempts, endpointId, workspaceId } = delivery;
  if (status === "delivered") {
    yield passed(
      "receiver",
      `It answered ${delivery.lastResponseStatus} to attempt ${attempts}. The message arrived.`,
    );
    return;
  }
  if (status === "failed") {
    yield stopped(
      "delivery",
      `${delivery.id} has failed after ${attempts} attempts: ${lastError}.`,
      retryAdvice,
    );
    return;
  }
  if (endpoint === undefined) {
    yield stopped("endpoint", `${endpointId} is deleted. Its pending deliveries end.`);
    return;
  }
  if (endpoint.status === "disabled") {
    yield stopped(
      "endpoint",
      `${endpointId} (${originOf(endpoint)}) is disabled.`,
      "PATCH its status to active.",
    );
    return;
  }
  if (await createWorkspaceStore(mongo).isDisabled(workspaceId)) {
    yield waits("workspace", `${workspaceId} is disabled. Deliveries wait for 30 days, then they fail.`);
    return;
  }
  yield passed("endpoint", `${endpointId} (${originOf(endpoint)}) is active.`);
  yield pendingStep(delivery, await beforeIt(tools, delivery));
}

const retryAdvice = "Mend the receiver, then retry the delivery by its route or in the console.";

const originOf = ({ url }: Endpoint): string => new URL(url).origin;

type Queue = { before: number; failures: number };

function pendingStep(
  { id, attempts, nextAttemptAt, lastError }: Delivery,
  { before, failures }: Queue,
): Step {
  const last = attempts === 0 ? "" : ` Attempt ${attempts} failed: ${lastError}.`;
  if (nextAttemptAt > new Date())
    return waits(
      "delivery",
      `${id} is pending.${last} The next attempt is at ${nextAttemptAt.toISOString()}.`,
    );
  const failing =
    failures >= FAILING_AFTER
      ? ` The endpoint has failed ${failures} times in a row, so it gets one delivery at a time.`
      : "";
  return waits(
    "delivery",
    `${id} is due since ${nextAttemptAt.toISOString()}.${last} ${before} deliveries of the endpoint are due before it.${failing}`,
    SENDERS,
  );
}

async function beforeIt(
  { database }: Tools,
  { workspaceId, endpointId, nextAttemptAt }: Delivery,
): Promise<Queue> {
  const mongo = await database("notification");
  const [before, endpoint] = await Promise.all([
    deliveryRecords.store(mongo).collection.countDocuments({
      workspaceId,
      endpointId,
      status: "pending",
      nextAttemptAt: { $lt: nextAttemptAt },
    }),
    endpointRecords
      .store(mongo)
      .collection.findOne({ workspaceId, _id: endpointId }, { projection: { failures: 1 } }),
  ]);
  return { before, failures: endpoint?.failures ?? 0 };
}
