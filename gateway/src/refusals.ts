import { clientNetworks, exhausted } from "@asset-register/runtime";
import { LRUCache } from "lru-cache";
import { type ClientOfRequest, clientAddressOf } from "./client-address.ts";
import type { Rate } from "./config.ts";
import { intervalOf, type RateLimiter } from "./rate-limit.ts";

/** The sender of a request that may be refused: a client, and the workspace of its reads. */
export type Sender = { client: ClientOfRequest; workspaceId?: string | undefined };

/**
 * Limits what a client network has refused, so that made-up credentials and wrong signatures reach no service beyond
 * the limit. Valid requests do not count. Wrongly signed reads count for each workspace, so that readers of one
 * workspace do not keep out those of another one behind the same address.
 */
export type Refusals = {
  /** @throws AppError RATE_LIMITED when the limit of the sender is used up */
  admit(sender: Sender): void;
  /** Counts refusals, on all gateways. */
  count(sender: Sender, refusals?: number): Promise<void>;
};

type Limit = { subject: string; rate: Rate };

const MAX_SUBJECTS = 100_000;

/** `now` reads a monotonic clock, in ms. */
export function createRefusals(
  limiter: Pick<RateLimiter, "charge">,
  rate: Rate,
  now = () => performance.now(),
): Refusals {
  // What Redis said at the last refusal here. So a valid request costs no round trip.
  const resetAt = new LRUCache<string, number>({ max: MAX_SUBJECTS });

  const limitsOf = ({ client, workspaceId = "" }: Sender): Limit[] =>
    clientNetworks(clientAddressOf(client)).map(({ network, clients }) => ({
      subject: `refused:${network}:${workspaceId}`,
      rate: { perMinute: rate.perMinute * clients, burst: rate.burst * clients },
    }));

  return {
    admit(sender) {
      if (resetAt.size === 0) return;
      for (const { subject, rate } of limitsOf(sender)) {
        const waitMs = (resetAt.get(subject) ?? 0) - now() - allowedMs(rate);
        if (waitMs > 0) throw exhausted(TOO_MANY, Math.ceil(waitMs));
      }
    },
    async count(sender, refusals = 1) {
      const at = now();
      const counts = limitsOf(sender).map(async ({ subject, rate }) => {
        const resetMs = await limiter.charge(subject, rate, refusals);
        const alone = Math.max(resetAt.get(subject) ?? 0, at) + (refusals * intervalOf(rate)) / 1_000;
        resetAt.set(subject, resetMs === undefined ? alone : at + resetMs);
      });
      await Promise.all(counts);
    },
  };
}

/** With this reset or less, one more is allowed (GCRA, see rate-limit.ts). */
const allowedMs = (rate: Rate): number => (intervalOf(rate) * (rate.burst - 1)) / 1_000;

const TOO_MANY =
  "Too many requests of this client were refused. Retry after the time in the Retry-After header.";
