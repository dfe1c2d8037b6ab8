import { type Lease, LeaseLostError, type Mongo } from "@asset-register/mongo";
import { systemCollection } from "@asset-register/mongo/system";

type State = { _id: string; generation: number };

const states = (mongo: Mongo) => systemCollection<State>(mongo, "outbox_state");
const idOf = (shard: number): string => `shard-${shard}`;

/** The number in the transactional id of a shard's relay. */
export async function currentGeneration(mongo: Mongo, shard: number): Promise<number> {
  return (await states(mongo).findOne({ _id: idOf(shard) }))?.generation ?? 0;
}

/**
 * Gives the relay of a shard another transactional id. Before, a request for the old one must have fenced it. A relay
 * that takes over then fences the new one.
 *
 * @throws LeaseLostError if another relay has taken over
 */
export async function nextGeneration(
  mongo: Mongo,
  shard: number,
  lease: Pick<Lease, "name" | "renew">,
): Promise<void> {
  await mongo.transaction({}, async (session) => {
    await states(mongo).updateOne(
      { _id: idOf(shard) },
      { $inc: { generation: 1 } },
      { upsert: true, session },
    );
    if (!(await lease.renew(session))) throw new LeaseLostError(lease.name);
  });
}
