import { clientNetworks, exhausted, type Metrics, unavailable } from "@asset-register/runtime";
import { OVERLOADED } from "./load.ts";
import { createShares } from "./shares.ts";

/** Bounds the requests whose bodies are still on their way: their clients may never send the rest. */
export type WaitingBodies = {
  /**
   * Counts a request until the returned function is called.
   *
   * @throws AppError RATE_LIMITED when the share of its network or reader is used up, UNAVAILABLE when all are
   */
  begin(address: string, readerId: string | undefined): () => void;
};

export type WaitingBodiesOptions = { max: number; maxPerNetwork: number; metrics: Metrics };

/** Readers post one request after the other. The share is for each network, so that no other network can use it up. */
const MAX_PER_READER = 8;
/** A body of a route without a credential must arrive in 5 s, most others arrive at once. */
const RETRY_AFTER_MS = 1_000;

export function createWaitingBodies({ max, maxPerNetwork, metrics }: WaitingBodiesOptions): WaitingBodies {
  const shares = createShares();
  let waiting = 0;
  metrics.gauge({
    name: "http_server_waiting_bodies",
    help: "Requests whose body has not arrived",
    collect() {
      this.set(waiting);
    },
  });
  const refused = metrics.counter({
    name: "http_server_refused_bodies_total",
    help: "Requests whose body was not read, by the limit that was used up: all, or the share of a network or reader",
    labelNames: ["limit"],
  });

  return {
    begin(address, readerId) {
      if (waiting >= max) {
        refused.inc({ limit: "all" });
        throw unavailable(OVERLOADED, RETRY_AFTER_MS);
      }
      const networks = clientNetworks(address).map(({ network, clients }) => ({
        key: network,
        max: maxPerNetwork * clients,
      }));
      const reader = readerId === undefined ? [] : [{ key: `${readerId} ${address}`, max: MAX_PER_READER }];
      const release = shares.take([...networks, ...reader]);
      if (release === undefined) {
        refused.inc({ limit: "share" });
        throw exhausted(TOO_MANY, RETRY_AFTER_MS);
      }
      waiting += 1;
      return () => {
        waiting -= 1;
        release();
      };
    },
  };
}

const TOO_MANY =
  "Too many requests of this client are still being sent. Retry after the time in the Retry-After header.";
