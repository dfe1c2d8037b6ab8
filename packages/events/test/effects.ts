import type { ClientSession, Mongo } from "@asset-register/mongo";
import { type Incoming, runOnce, type Subscription, subscribe } from "../src/index.ts";
import { log } from "./support-topics.ts";

type Effect = { _id: string; workspaceId: string; count: number };

/**
 * Consumes `log` with an effect that is not idempotent, once for each event. `written` is called when the effect is
 * written and its transaction is not committed yet.
 */
export const countOnce = (mongo: Mongo, written?: (event: Incoming) => Promise<void>): Subscription =>
  subscribe(log, {
    async handle(events) {
      for (const event of events) {
        await runOnce(mongo, "count", event.id, async (session) => {
          await countEffect(mongo, event, session);
          await written?.(event);
        });
      }
    },
  });

/** It counts how often it ran for the event. */
async function countEffect(mongo: Mongo, event: Incoming, session: ClientSession): Promise<void> {
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
