import type { Context } from "../context.ts";
import { type Answer, type DueDelivery, FAILING_AFTER, resultOf } from "../domain/webhooks/delivery.ts";
import { type AttemptOutcome, saveAttempt, sendDelivery } from "../operations/webhooks/attempt-delivery.ts";
import type { Turn } from "../operations/webhooks/claim-deliveries.ts";

export type TurnOptions = {
  /** No attempt begins after this time of `performance.now()`: it could outlast the lease. */
  startBy: number;
  /** At its end nothing new is begun. */
  signal: AbortSignal;
  onAttempt(outcome: AttemptOutcome, durationMs: number): void;
  /** So many slots are free again. */
  onFree(slots: number): void;
};

/** Successes wait so long for others of the turn: one write for ten costs little more than one for one. */
const GATHER_MS = 100;

/** With more unsaved successes the next turn waits: a kill repeats what is not saved, and leases end. */
const MAX_UNSAVED = 50;

/** Slow attempts at the end of a turn keep only their own slots, after so long. */
const TAIL_MS = 100;

/**
 * Sends the deliveries of a turn, in each of its slots one after the other. The next one begins as soon as a delivery is
 * answered; what failed is saved first. Deliveries that can't be begun are given back. The claim keeps those whose outcome
 * is not saved.
 *
 * @returns whether the endpoint is failing: it has failed five times in a row
 */
export async function runTurn(
  context: Context,
  turn: Turn,
  { startBy, signal, onAttempt, onFree }: TurnOptions,
): Promise<boolean> {
  const { stores, logger } = context;
  const { claimed, endpoint } = turn;
  const { workspaceId, id: endpointId } = endpoint;
  const queue = [...turn.deliveries];
  const unsaved = new Set<string>();
  const saving = new Set<Promise<void>>();
  let held = turn.slots;
  let keepsUnsaved = false;
  let active = 0;
  let timer: NodeJS.Timeout | undefined;
  let gathering: PromiseWithResolvers<void> | undefined;
  let gatherTimer: NodeJS.Timeout | undefined;
  let late = false;
  let failing = false;

  async function save(delivery: DueDelivery, answer: Answer, asOf = turn): Promise<void> {
    try {
      const { outcome, failures } = await saveAttempt(context, asOf, delivery, answer);
      unsaved.delete(delivery.id);
      if (resultOf(answer) !== "delivered") failing ||= failures >= FAILING_AFTER;
      else if (asOf === turn) failing = false;
      onAttempt(outcome, answer.durationMs);
    } catch (error) {
      // Its lease ends, and then it is attempted again.
      logger.warn({ error }, "the outcome of a delivery was not saved");
    }
  }

  async function sendInTurn(): Promise<void> {
    while (!failing && !signal.aborted && performance.now() <= startBy) {
      const delivery = queue.shift();
      if (delivery === undefined) return;
      unsaved.add(delivery.id);
      const answer = await sendDelivery(context, turn, delivery);
      if (resultOf(answer) !== "delivered") await save(delivery, answer);
      // It ends the count of failures.
      else if (turn.failing) track(save(delivery, answer));
      else {
        // A failure of the next moment comes after this success, so it must not end its count.
        const asOf = { ...turn };
        track(gathered().then(() => save(delivery, answer, asOf)));
      }
    }
  }

  function gathered(): Promise<void> {
    if (gathering === undefined) {
      gathering = Promise.withResolvers<void>();
      gatherTimer = setTimeout(endGathering, GATHER_MS);
    }
    return gathering.promise;
  }

  function endGathering(): void {
    clearTimeout(gatherTimer);
    gathering?.resolve();
    gathering = undefined;
  }

  function track(saved: Promise<void>): void {
    saving.add(saved);
    void saved.finally(() => saving.delete(saved));
  }

  async function keep(slots: number): Promise<void> {
    const free = held - slots;
    if (free === 0 && !keepsUnsaved) return;
    const deliveryIds = [...unsaved];
    held = slots;
    keepsUnsaved = slots === 0 && deliveryIds.length > 0;
    try {
      await stores.turns.keep(workspaceId, endpointId, claimed.claim, { slots, deliveryIds });
    } catch (error) {
      logger.warn({ error }, "slots are free only after their lease");
    }
    if (free > 0) onFree(free);
  }

  async function runSlot(): Promise<void> {
    active += 1;
    try {
      await sendInTurn();
    } catch (error) {
      // It can't be signed, for example. Its lease ends, and then it is attempted again.
      logger.error({ error, endpointId }, "a delivery could not be sent");
      failing = true;
    }
    active -= 1;
    queue.length = 0;
    if (active === 0) return;
    if (late) await keep(active);
    else timer ??= setTimeout(keepActive, TAIL_MS);
  }

  function keepActive(): void {
    late = true;
    track(keep(active));
  }

  const running = Array.from({ length: Math.min(turn.slots, queue.length) }, runSlot);
  await Promise.all(running);
  clearTimeout(timer);
  endGathering();
  // The next turn begins while the last successes are saved. A failing endpoint pauses before it.
  if (!failing && unsaved.size <= MAX_UNSAVED) await keep(0);
  await Promise.all(saving);
  await keep(0);
  return failing;
}
