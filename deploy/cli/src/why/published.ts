import {
  createDeadLetters,
  type Incoming,
  listRowsOfKey,
  type Topic,
  type WaitingRow,
} from "@asset-register/events";
import type { DescMessage, MessageShape } from "@bufbuild/protobuf";
import { passed, type Step, type Steps, stopped, waits } from "./step.ts";
import type { Tools } from "./tools.ts";

/** An event that a service publishes by its outbox. */
export type Published<S extends DescMessage> = {
  service: Parameters<Tools["database"]>[0];
  topic: Topic<S>;
  key: string;
  /** It was not published before. */
  since: Date;
  isIt(message: MessageShape<S>, sequence: number): boolean;
};

/** The consumer whose effects are deliveries and alerts. */
const GROUP = "notification";

const RUNBOOKS = "deploy/helm/runbooks";

/** Clocks of other machines. */
const CLOCKS_MS = 60_000;

/** Follows an event from the outbox of its service to the consumers of notification, which have handled it at the end. */
export async function* followEvent<S extends DescMessage>(
  tools: Tools,
  published: Published<S>,
): Steps<Incoming<S> | undefined> {
  const inOutbox = await outboxStep(tools, published);
  yield inOutbox;
  if (inOutbox.state !== "passed") return undefined;
  const { topic, key, since, isIt } = published;
  const events = await tools.tracer.eventsOf(topic, key, new Date(since.getTime() - CLOCKS_MS));
  const event = events.find(({ event: one }) => one?.message && isIt(one.message, one.sequence))?.event;
  if (event === undefined) {
    yield notInTopic(topic, events.filter(({ error }) => error !== undefined).length);
    return undefined;
  }
  return yield* followSent(tools, topic, event);
}

/** Follows an event of a topic to the consumers of notification. */
export async function* followSent<S extends DescMessage>(
  tools: Tools,
  topic: Topic<S>,
  event: Incoming<S>,
): Steps<Incoming<S> | undefined> {
  const { partition, offset, id, publishedAt } = event;
  const at = `partition ${partition}, offset ${offset}`;
  yield passed("topic", `Event ${id} is in ${topic.name}, ${at}, since ${publishedAt.toISOString()}.`);
  const consumed = await consumerStep(tools, topic, event);
  yield consumed;
  return consumed.state === "passed" ? event : undefined;
}

async function outboxStep<S extends DescMessage>(
  { database }: Tools,
  { service, topic, key, isIt }: Published<S>,
): Promise<Step> {
  const rows = await listRowsOfKey(await database(service), topic, key);
  const row = rows.find(({ message, sequence }) => message && isIt(message, sequence));
  return row === undefined
    ? passed("outbox", `The outbox of ${service} does not hold the event: it is sent.`)
    : unsentStep(service, row, rows);
}

function unsentStep(service: string, row: WaitingRow<DescMessage>, rows: WaitingRow<DescMessage>[]): Step {
  const { eventId, parked, held, addedAt, sequence } = row;
  const repair = (id: string) =>
    `cli outbox retry|drop --service ${service} ${id} (${RUNBOOKS}/outbox-parked.md)`;
  if (parked) {
    const text = `Event ${eventId} is parked since ${parked.at.toISOString()}: the broker refuses it (${parked.error}).`;
    return stopped("outbox", text, repair(eventId));
  }
  const before = rows.find((one) => one.parked && one.sequence < sequence);
  if (before)
    return stopped(
      "outbox",
      `Event ${eventId} waits behind event ${before.eventId} of the same key, which is parked (${before.parked?.error}).`,
      repair(before.eventId),
    );
  if (held) {
    const text = `Event ${eventId} is held since ${held.at.toISOString()}: ${held.target} can't be written (${held.error}).`;
    return waits("outbox", text, `The relay retries it: ${RUNBOOKS}/outbox-held.md`);
  }
  return waits(
    "outbox",
    `Event ${eventId} is not sent. It waits since ${addedAt.toISOString()}.`,
    `Does a process of ${service} with the role relay run? ${RUNBOOKS}/outbox-relay-missing.md`,
  );
}

function notInTopic(topic: { name: string }, unreadable: number): Step {
  const others =
    unreadable === 0 ? "" : ` ${unreadable} events of its key can't be decoded: cli topics tail shows them.`;
  return stopped(
    "topic",
    `It is neither in the outbox nor in ${topic.name}.${others}`,
    "The topic does not keep it any more, or cli outbox drop has removed it (outbox_event.dropped in the audit log).",
  );
}

async function consumerStep<S extends DescMessage>(
  { tracer, kafka }: Tools,
  topic: Topic<S>,
  { partition, offset, id }: Incoming<S>,
): Promise<Step> {
  const { next, members } = await tracer.placeOf(topic, partition, GROUP);
  const behind = BigInt(offset) - next;
  if (behind >= 0n) {
    const text = `The group ${GROUP} has not handled it: it is at offset ${next} of partition ${partition}, ${behind} before it.`;
    if (members === 0) return stopped("consumer", `${text} No process is in the group.`, processAdvice);
    return waits(
      "consumer",
      `${text} Processes in the group: ${members}.`,
      `If the offset does not change, the partition is paused: ${RUNBOOKS}/consumer-paused.md`,
    );
  }
  const letters = await createDeadLetters(kafka).list({ topic: topic.name, group: GROUP });
  const letter = letters.find(({ eventId }) => eventId === id);
  if (letter)
    return stopped(
      "consumer",
      `It is a dead letter of the group ${GROUP} after ${letter.attempts} attempts: ${letter.error}`,
      `After the cause is mended: cli dlq retry ${letter.id} --group ${GROUP} (${RUNBOOKS}/dead-letters.md)`,
    );
  return passed("consumer", `The group ${GROUP} has handled it.`);
}

const processAdvice = `Start a process of ${GROUP} with the role worker: ${RUNBOOKS}/process-missing.md`;
