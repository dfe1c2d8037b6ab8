import type { ClientSession, Mongo } from "@asset-register/mongo";
import type { Incoming } from "../src/index.ts";

type Effect = { _id: string; workspaceId: string; count: number };

/** An effect that is not idempotent: it counts how often it ran for the event. */
export async function countEffect(mongo: Mongo, event: Incoming, session: ClientSession): Promise<void> {
  const filter = { _id: `${event.subject} ${event.sequence}`, workspaceId: event.workspaceId };
  await mongo
    .collection<Effect>("effects")
    .updateOne(filter, { $inc: { count: 1 } }, { upsert: true, session });
}

/** Number of effects of each event. */
export async function effects(mongo: Mongo): Promise<Record<string, number>> {
  const rows = await mongo.collection<Effect>("effects").find({ workspaceId: "wsp_1" }).toArray();
  return Object.fromEntries(rows.map(({ _id, count }) => [_id, count]));
}
