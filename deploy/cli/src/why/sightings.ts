import { listRowsOfKey } from "@asset-register/events";
import { topics } from "@asset-register/proto/topics";
import { decodeSighting } from "../../../../services/notification/src/decode/sighting.ts";
import type { Sighting } from "../../../../services/notification/src/domain/alerts/sighting.ts";
import { followEvent } from "./published.ts";
import { type Steps, stopped, unknown } from "./step.ts";
import type { Tools } from "./tools.ts";

/** The consumer of reader events, which makes sightings of them. */
const READS_GROUP = "tagging-ingest-reads";

/** An asset, or the code of an unknown tag. */
export type Seen = { workspaceId: string; subject: string; since: Date };

/**
 * Follows the newest sighting to the rules. Returns the sightings that notification has handled, the newest first;
 * undefined if the newest one has not come so far.
 */
export async function* followSightings(
  tools: Tools,
  { workspaceId, subject, since }: Seen,
): Steps<Sighting[] | undefined> {
  const topic = topics.sighting;
  const key = `${workspaceId}:${subject}`;
  const unsent = await listRowsOfKey(await tools.database("tagging-ingest"), topic, key);
  const events = (await tools.tracer.eventsOf(topic, key, since)).flatMap(({ event }) => event ?? []);
  const newest = unsent.at(-1)?.sequence ?? events.at(-1)?.sequence;
  if (newest === undefined) {
    yield stopped(
      "sighting",
      `There is no sighting of ${subject} since ${since.toISOString()}.`,
      noSightingAdvice,
    );
    yield await readsStep(tools);
    return undefined;
  }
  const handled = yield* followEvent(tools, {
    ...{ service: "tagging-ingest", topic, key, since },
    isIt: (_message, sequence) => sequence === newest,
  });
  return handled && events.flatMap(decodeSighting).reverse();
}

const noSightingAdvice =
  "Was the tag read (events of the reader), is it bound to the asset, and has the reader a zone? --since looks further back.";

/** Whether reads wait that would become sightings. */
async function readsStep({ tracer }: Tools) {
  const { lag, members } = await tracer.lagOf(topics.readerEvent, READS_GROUP);
  const text = `${lag} records of ${topics.readerEvent.name} wait for the group ${READS_GROUP}, which has ${members} processes.`;
  return lag > 0n
    ? stopped("reads", text, "deploy/helm/runbooks/consumer-lag-burn.md")
    : unknown("reads", text);
}
