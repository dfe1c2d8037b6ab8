import { Pool } from "undici";
import type { Side } from "./benchmark.ts";

export type Shot = {
  method: "GET" | "POST";
  path: string;
  headers?: Record<string, string>;
  body?: string;
};

/**
 * Keeps `inFlight` requests under way, each on a connection of its own.
 *
 * @param perRequest operations that one request counts for
 * @throws Error for an answer that is not `expected`: a benchmark of refusals measures nothing
 */
export function httpLoad({
  origin,
  inFlight,
  perRequest = 1,
  expected,
  next,
}: {
  origin: string;
  inFlight: number;
  perRequest?: number;
  expected: number;
  next: () => Shot;
}): Side {
  return async (milliseconds) => {
    const pool = new Pool(origin, { connections: inFlight, pipelining: 1 });
    const started = performance.now();
    const until = started + milliseconds;
    let requests = 0;
    const shoot = async (): Promise<void> => {
      while (performance.now() < until) {
        const { statusCode, body } = await pool.request(next());
        const text = await body.text();
        if (statusCode !== expected) throw new Error(`${origin} answered ${statusCode}: ${text}`);
        requests += 1;
      }
    };
    try {
      await Promise.all(Array.from({ length: inFlight }, shoot));
      return { operations: requests * perRequest, milliseconds: performance.now() - started };
    } finally {
      await pool.close();
    }
  };
}
