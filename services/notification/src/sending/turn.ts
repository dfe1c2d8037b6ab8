import type { Context } from "../context.ts";
import { type Delivery, FAILING_AFTER, resultOf } from "../domain/delivery.ts";
import { type AttemptOutcome, saveAttempt, sendDelivery } from "../operations/attempt-delivery.ts";
import type { Turn } from "../operations/claim-deliveries.ts";

export type TurnOptions = {
  /** No attempt begins after this time of `performance.now()`: it could outlast the lease. */
  startBy: number;
  /** At its end nothing new is begun. */
  signal: AbortSignal;
  onAttempt(outcome: AttemptOutcome, durationMs: number): void;
  /** So many slots are free again. */
  onFree(slots: number): void;
};

/** Slow attempts at the end of a turn keep only their own slots, after so long. */
const TAIL_MS = 100;

/**
 * Sends the deliveries of a turn, in each of its slots one after the other. The next one begins as soon as a delivery is
 * answered; what failed is saved first. Deliveries that can't be begun are given back.
 *
 * @returns whether the endpoint is failing: it has failed five times in a row
 */
export async function runTurn(
  context: Context,
  turn: Turn,
  { startBy, signal, onAttempt, onFree }: TurnOptions,
): Promise<boolean> {
  const { stores, logger } = context;
  const { claim, endpoint } = turn;
  const { workspaceId, id: endpointId } = endpoint;
  const queue = [...turn.deliveries];
  const saving = new Set<Promise<void>>();
  let held = turn.slots;
  let active = 0;
  let timer: NodeJS.Timeout | undefined;
  let late = false;
  let failing = false;

  async function save(delivery: Delivery, answer: Awaited<ReturnType<typeof sendDelivery>>): Promise<void> {
    try {
      const { outcome, failures } = await saveAttempt(context, turn, delivery, answer);
      if (resultOf(answer) === "delivered") failing = false;
      else failing ||= failures >= FAILING_AFTER;
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
      const answer = await sendDelivery(context, turn, delivery);
      const saved = save(delivery, answer);
      if (resultOf(answer) === "delivered") track(saved);
      else await saved;
    }
  }

  function track(saved: Promise<void>): void {
    saving.add(saved);
    void saved.finally(() => saving.delete(saved));
  }

  async function keep(slots: number): Promise<void> {
    if (slots >= held) return;
    const free = held - slots;
    held = slots;
    try {
      await stores.endpoints.keepSlots(workspaceId, endpointId, claim, slots);
    } catch (error) {
      logger.warn({ error }, "slots are free only after their lease");
    }
    onFree(free);
  }

  async function giveBack(): Promise<void> {
    const ids = queue.splice(0).map(({ id }) => id);
    if (ids.length === 0) return;
    try {
      await stores.deliveries.giveBack(workspaceId, endpointId, { deliveryIds: ids, claim });
    } catch (error) {
      logger.warn({ error }, "deliveries are due again only after their lease");
    }
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
    if (active === 0) return;
    await giveBack();
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
  await giveBack();
  await Promise.all(saving);
  await keep(0);
  return failing;
}
