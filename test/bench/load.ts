import { Pool } from "undici";
import type { Side } from "./benchmark.ts";

export type Shot = {
  method: "GET" | "POST";
  path: string;
  headers?: Record<string, string>;
  body?: string;
};

export type HttpLoad = {
  origin: string;
  inFlight: number;
  /** Operations that one request counts for. */
  perRequest?: number;
  expected: number;
  next: () => Shot;
  processes: () => Record<string, number>;
};

/**
 * Keeps `inFlight` requests under way, each on a connection of its own. Requests
 * are made before the clock starts (as many as the fastest round so far took,
 * and half as many again), so that what it costs to sign them is on neither side.
 *
 * @throws Error for an answer that is not `expected`: a benchmark of refusals measures nothing
 */
export function httpLoad({ origin, inFlight, perRequest = 1, expected, next, processes }: HttpLoad): Side {
  let ready: Shot[] = [];
  let perMillisecond = 2 / perRequest;
  return {
    processes,
    prepare(milliseconds) {
      const wanted = Math.ceil(perMillisecond * milliseconds * 1.5) + inFlight;
      ready = Array.from({ length: wanted }, next);
    },
    async run(milliseconds) {
      const pool = new Pool(origin, { connections: inFlight, pipelining: 1 });
      const started = performance.now();
      const until = started + milliseconds;
      let requests = 0;
      const shoot = async (): Promise<void> => {
        while (performance.now() < until) {
          const { statusCode, body } = await pool.request(ready.pop() ?? next());
          const text = await body.text();
          if (statusCode !== expected) throw new Error(`${origin} answered ${statusCode}: ${text}`);
          requests += 1;
        }
      };
      try {
        await Promise.all(Array.from({ length: inFlight }, shoot));
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
