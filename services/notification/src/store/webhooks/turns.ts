import type { Mongo } from "@asset-register/mongo";
import { FAILING_AFTER, IN_FLIGHT } from "../../domain/webhooks/delivery.ts";
import type { Endpoint } from "../../domain/webhooks/endpoint.ts";
import { type ClaimedTurn, type EndpointBookkeeping, endpointRecords } from "./endpoints.ts";

/** The data of an endpoint that a claim needs. It is valid until the next claim. */
export type TurnState = {
  status: Endpoint["status"];
  turnSeq: number | null;
  /** Slots that are free. */
  free: number;
  failures: number;
  /** Deliveries that are claimed now. */
  claimedIds: string[];
  /** Turns whose lease has ended with deliveries whose outcome is not known. */
  lost: ClaimedTurn[];
};

type NewTurn = Pick<TurnState, "turnSeq"> & {
  claim: string;
  wanted: number;
  deliveryIds: string[];
  leaseMs: number;
};

/**
 * The senders of an endpoint's deliveries: slots, which limit those at once, and turns with the deliveries of each claim. A claim is
 * one write for all its deliveries: a write for each cost the database more than the rest of a delivery. Leases go by the
 * database's clock, which only pipelines can read.
 */
export function createTurnStore(mongo: Mongo) {
  const { collection, toRecord } = endpointRecords.store(mongo);
  return {
    /** Undefined when the endpoint is deleted. */
    async state(workspaceId: string, id: string): Promise<TurnState | undefined> {
      const row = await collection.findOne<StoredState>(
        { workspaceId, _id: id },
        { projection: { status: 1, slots: 1, turns: 1, turnSeq: 1, failures: 1, now: "$$NOW" } },
      );
      if (row === null) return undefined;
      const { status, turnSeq = null, failures, slots, turns = [], now } = row;
      const live = turns.filter(({ until }) => until > now);
      const most = failures >= FAILING_AFTER ? IN_FLIGHT.failing : IN_FLIGHT.healthy;
      return {
        ...{ status, turnSeq, failures },
        free: Math.max(0, most - slots.filter(({ until }) => until > now).length),
        claimedIds: live.flatMap(({ deliveryIds }) => deliveryIds),
        lost: turns.filter(({ until }) => until <= now),
      };
    },

    /**
     * Claims deliveries, and as many of the `wanted` slots as are free. Undefined when there was another claim since
     * `turnSeq`, or the endpoint is not active any more. The slots of a dead worker are free again after `leaseMs`.
     */
    async take(
      workspaceId: string,
      id: string,
      { turnSeq, wanted, claim, deliveryIds, leaseMs }: NewTurn,
    ): Promise<{ endpoint: Endpoint; slots: number; turn: ClaimedTurn | undefined } | undefined> {
      const until = { $add: ["$$NOW", leaseMs] };
      const turn = { claim, since: "$$NOW", until, deliveryIds };
      const added = { $cond: [{ $in: [claim, "$slots.claim"] }, [turn], []] };
      const row = await collection.findOneAndUpdate(
        // The driver's type does not know that null matches a missing field.
        { workspaceId, _id: id, status: "active", turnSeq } as object & { workspaceId: string },
        [
          { $set: { slots: live("$slots"), turns: live({ $ifNull: ["$turns", []] }) } },
          { $set: { slots: { $concatArrays: ["$slots", firstOf(newSlots(wanted, claim, until))] } } },
          {
            $set: {
              turns: { $concatArrays: ["$turns", added] },
              turnSeq: { $add: [{ $ifNull: ["$turnSeq", 0] }, 1] },
            },
          },
        ],
        { returnDocument: "after" },
      );
      if (!row) return undefined;
      return {
        endpoint: toRecord(row),
        slots: row.slots.filter((slot) => slot.claim === claim).length,
        turn: row.turns?.find((one) => one.claim === claim),
      };
    },

    /** Keeps so many slots of a claim, and these deliveries. The others are free, and due again if they are pending. */
    async keep(
      workspaceId: string,
      id: string,
      claim: string,
      { slots, deliveryIds }: { slots: number; deliveryIds: string[] },
    ): Promise<void> {
      const own = (array: string, match: boolean) => ({
        $filter: { input: array, cond: { [match ? "$eq" : "$ne"]: ["$$this.claim", claim] } },
      });
      const keptSlots = slots === 0 ? [] : { $slice: [own("$slots", true), slots] };
      const keptTurn = {
        $map: { input: own("$turns", true), in: { $mergeObjects: ["$$this", { deliveryIds }] } },
      };
      await collection.updateOne({ workspaceId, _id: id }, [
        {
          $set: {
            slots: { $concatArrays: [own("$slots", false), keptSlots] },
            turns: { $concatArrays: [own("$turns", false), deliveryIds.length === 0 ? [] : keptTurn] },
          },
        },
      ]);
    },
  };
}

type StoredState = EndpointBookkeeping & Pick<Endpoint, "status"> & { now: Date };

const live = (array: unknown) => ({ $filter: { input: array, cond: { $gt: ["$$this.until", "$$NOW"] } } });

function newSlots(count: number, claim: string, until: object) {
  return { $map: { input: { $range: [0, count] }, in: { claim, until } } };
}

function firstOf(slots: object) {
  const most = { $cond: [{ $gte: ["$failures", FAILING_AFTER] }, IN_FLIGHT.failing, IN_FLIGHT.healthy] };
  return { $slice: [slots, { $max: [0, { $subtract: [most, { $size: "$slots" }] }] }] };
}
