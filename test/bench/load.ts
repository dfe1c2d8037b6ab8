import { Pool } from "undici";
import type { Side } from "./benchmark.ts";

export type LoadRequest = {
  method: "GET" | "POST";
  path: string;
  headers?: Record<string, string>;
  body?: string;
};

export type HttpLoad = {
  origin: string;
  inFlight: number;
  /** The number of operations in one request. Default: 1. */
  perRequest?: number;
  expected: number;
  next: () => LoadRequest;
  processes: () => Record<string, number>;
};

/**
 * Keeps `inFlight` requests in flight, each on a connection of its own. Requests are made before the clock starts, so
 * that the cost of signing counts on neither side. Their number is 1.5 times that of the fastest round so far.
 *
 * @throws Error for a response whose status is not `expected`, because measuring refusals is useless
 */
export function httpLoad({ origin, inFlight, perRequest = 1, expected, next, processes }: HttpLoad): Side {
  let ready: LoadRequest[] = [];
  let perMillisecond = 2 / perRequest;
  return {
    processes,
    prepare(milliseconds) {
      const count = Math.ceil(perMillisecond * milliseconds * 1.5) + inFlight;
      ready = Array.from({ length: count }, next);
    },
    async run(milliseconds) {
      const pool = new Pool(origin, { connections: inFlight, pipelining: 1 });
      const started = performance.now();
      const until = started + milliseconds;
      let requests = 0;
      const sendUntilEnd = async (): Promise<void> => {
        while (performance.now() < until) {
          const { statusCode, body } = await pool.request(ready.pop() ?? next());
          const text = await body.text();
          if (statusCode !== expected) throw new Error(`${origin} returned ${statusCode}: ${text}`);
          requests += 1;
        }
      };
      try {
        await Promise.all(Array.from({ length: inFlight }, sendUntilEnd));
        const taken = performance.now() - started;
        perMillisecond = Math.max(perMillisecond, requests / taken);
        return { operations: requests * perRequest, milliseconds: taken };
      } finally {
        ready = [];
        await pool.close();
      }
    },
  };
}
