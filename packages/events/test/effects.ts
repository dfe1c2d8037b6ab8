import type { ClientSession, Mongo } from "@asset-register/mongo";
import type { Incoming } from "../src/index.ts";

type Effect = { _id: string; workspace_id: string; count: number };

/** An effect that is not idempotent: it counts how often the event had it. */
export async function countEffect(mongo: Mongo, event: Incoming, session: ClientSession): Promise<void> {
  const filter = { _id: `${event.subject} ${event.sequence}`, workspace_id: event.workspaceId };
  await mongo
    .collection<Effect>("effects")
    .updateOne(filter, { $inc: { count: 1 } }, { upsert: true, session });
}

/** How often each event had its effect. */
export async function effects(mongo: Mongo): Promise<Record<string, number>> {
  const rows = await mongo.collection<Effect>("effects").find({ workspace_id: "wsp_1" }).toArray();
  return Object.fromEntries(rows.map(({ _id, count }) => [_id, count]));
}
