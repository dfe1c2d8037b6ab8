import type { Mongo } from "@asset-register/mongo";
import { systemCollection } from "@asset-register/mongo/system";

/** The position of an event in its topic. `topic` is the full name. */
export type Position = { topic: string; partition: number; offset: string };

type SkipRow = { _id: string; askedAt: Date; skipped?: boolean };

const KEPT_MS = 7 * 86_400_000;

/** The events that operators want a group to skip. */
export type Skips = {
  ask(position: Position): Promise<void>;
  isAsked(position: Position): Promise<boolean>;
  /** Call it when the event is a dead letter, before its offset is committed. */
  markSkipped(position: Position): Promise<void>;
  isSkipped(position: Position): Promise<boolean>;
};

/**
 * The requests are in the database of the service, where the owner of the partition reads them. A request names one
 * event, so it has no effect if that event was handled meanwhile.
 */
export function createSkips(mongo: Mongo, groupId: string): Skips {
  const rows = systemCollection<SkipRow>(mongo, "skip_requests");
  const idOf = ({ topic, partition, offset }: Position) => `${groupId}/${topic}/${partition}/${offset}`;
  return {
    async ask(position) {
      await rows.deleteMany({ $expr: { $lt: ["$askedAt", { $subtract: ["$$NOW", KEPT_MS] }] } });
      await rows.updateOne({ _id: idOf(position) }, [{ $set: { askedAt: "$$NOW" } }], { upsert: true });
    },
    isAsked: async (position) => (await rows.findOne({ _id: idOf(position) })) !== null,
    async markSkipped(position) {
      await rows.updateOne({ _id: idOf(position) }, { $set: { skipped: true } });
    },
    isSkipped: async (position) => (await rows.findOne({ _id: idOf(position) }))?.skipped === true,
  };
}
