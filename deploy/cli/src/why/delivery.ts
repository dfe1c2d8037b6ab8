import { findWaitingRow, type Incoming, type Topic } from "@asset-register/events";
import { systemCollection } from "@asset-register/mongo/system";
import { topics } from "@asset-register/proto/topics";
import { timeOfId } from "@asset-register/runtime";
import type { DescMessage } from "@bufbuild/protobuf";
import { decodeCheckout, decodeMovement } from "../../../../services/notification/src/decode/message.ts";
import type { Message } from "../../../../services/notification/src/domain/webhooks/message.ts";
import { mailRecords } from "../../../../services/notification/src/store/alerts/mails.ts";
import { deliveryRecords } from "../../../../services/notification/src/store/webhooks/deliveries.ts";
import { endpointRecords } from "../../../../services/notification/src/store/webhooks/endpoints.ts";
import { CliError } from "../output.ts";
import { topicNamed } from "../tail.ts";
import { followAlert } from "./alert.ts";
import { followDelivery, followMessage } from "./deliveries.ts";
import { mailStep } from "./mails.ts";
import { followCheckout, followMovement } from "./movement.ts";
import { followEvent, followSent } from "./published.ts";
import { passed, type Steps, stopped } from "./step.ts";
import { findById, type Tools } from "./tools.ts";

/**
 * Follows a delivery to its receiver. Without a row of the delivery, the id of the event, movement, checkout or alert
 * leads to each webhook, or to one of them.
 */
export async function* followToWebhooks(tools: Tools, id: string, endpointId?: string): Steps {
  const [prefix] = id.split("_");
  switch (prefix) {
    case "dlv":
      return yield* followRow(tools, id);
    case "mov":
      return yield* followMovement(tools, id, endpointId);
    case "chk":
      return yield* followCheckout(tools, id, endpointId);
    case "alr":
      return yield* followAlert(tools, id, endpointId);
    case "msg":
      return yield* followMessageId(tools, id, endpointId);
    default:
      throw new CliError(`"${id}" is no id of a delivery, message, event, movement, checkout or alert.`);
  }
}

async function* followRow(tools: Tools, id: string): Steps {
  const mongo = await tools.database("notification");
  const delivery = await findById(mongo, deliveryRecords, id);
  if (delivery) {
    const { type, messageId, endpointId, workspaceId, createdAt } = delivery;
    yield passed(
      "delivery",
      `${id}: ${type}, message ${messageId} for ${endpointId}, made at ${createdAt.toISOString()}.`,
    );
    return yield* followDelivery(
      tools,
      delivery,
      await endpointRecords.store(mongo).get(workspaceId, endpointId),
    );
  }
  const mail = await findById(mongo, mailRecords, id);
  if (mail) yield mailStep(mail);
  else yield stopped("delivery", `There is no delivery and no mail ${id}.`, withoutRow);
}

const withoutRow =
  "Rows are kept for 45 days. Ask by the cause: cli why movement|delivery with the id of the movement, checkout, alert or event.";

/** A message has one delivery for each webhook. Ids of events begin with msg_, too. */
async function* followMessageId(tools: Tools, id: string, endpointId?: string): Steps {
  const mongo = await tools.database("notification");
  const rows = await systemCollection<{ _id: string; endpointId: string; messageId: string }>(
    mongo,
    deliveryRecords.collection,
  )
    .find({ messageId: id, ...(endpointId !== undefined && { endpointId }) }, { projection: { _id: 1 } })
    .toArray();
  for (const { _id } of rows) yield* followRow(tools, _id);
  if (rows.length === 0) yield* followEventId(tools, id, endpointId);
}

/** Only events of movements and checkouts become messages of their own. Those of alerts are made with the alert. */
async function* followEventId(tools: Tools, id: string, endpointId?: string): Steps {
  const row = await findWaitingRow(await tools.database("register"), id);
  if (row !== undefined) {
    // It is not sent, so this ends at the outbox.
    const topic = topicNamed(row.topic, tools.kafka.prefix);
    const isIt = (_message: unknown, sequence: number) => sequence === row.sequence;
    yield* followEvent(tools, { service: "register", topic, key: row.key, since: new Date(), isIt });
    return;
  }
  const since = timeOfId(id);
  if (since === undefined) throw new CliError(`"${id}" is no id of an event, and no message has it.`);
  const messages =
    (yield* messagesOf(tools, topics.movement, decodeMovement, { id, since })) ??
    (yield* messagesOf(tools, topics.checkout, decodeCheckout, { id, since }));
  for (const message of messages ?? []) yield* followMessage(tools, message, endpointId);
  if (messages !== undefined) return;
  yield stopped(
    "topic",
    `${id} is in no outbox of register and not in ${topics.movement.name} or ${topics.checkout.name}.`,
    withoutRow,
  );
}

/** The messages of an event of a topic. Undefined if it is not in the topic; none if it has not been handled. */
async function* messagesOf<S extends DescMessage>(
  tools: Tools,
  topic: Topic<S>,
  decode: (event: Incoming<S>) => Message[],
  { id, since }: { id: string; since: Date },
): Steps<Message[] | undefined> {
  const event = await tools.tracer.eventById(topic, id, since);
  if (event === undefined) return undefined;
  const handled = yield* followSent(tools, topic, event);
  return handled ? decode(handled) : [];
}
