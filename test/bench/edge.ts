import type { Prepared } from "./benchmark.ts";
import { startBaseline } from "./child.ts";
import { httpLoad } from "./load.ts";
import type { BenchPlatform } from "./platform.ts";

/** The cost of the gateway itself: credential, limit, headers, metrics, and no service behind it. */
export async function edge(bench: BenchPlatform): Promise<Prepared> {
  const bare = await startBaseline("baseline-me-route.ts", {
    ANSWER: JSON.stringify(await bench.keyApi.get("/me")),
  });
  const load = (origin: string, server: () => Record<string, number>) =>
    httpLoad({
      origin,
      processes: () => ({ client: process.pid, ...server() }),
      inFlight: 32,
      expected: 200,
      next: () => ({
        method: "GET",
        path: "/v1/me",
        headers: { authorization: `Bearer ${bench.demo.api_key}` },
      }),
    });
  return {
    benchmark: {
      name: "edge",
      work: "GET /v1/me with a key, 32 in flight; baseline: bare Fastify route with the same response",
      ours: load(bench.demo.base_url, () => ({ gateway: bench.platform.gateway.pid() })),
      baseline: load(bare.origin, () => ({ route: bare.pid })),
    },
    stop: bare.stop,
  };
}
