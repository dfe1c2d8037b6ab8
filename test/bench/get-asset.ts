import type { Prepared } from "./benchmark.ts";
import { startBaseline } from "./child.ts";
import { httpLoad } from "./load.ts";
import type { BenchPlatform } from "./platform.ts";

/** An authenticated GET of one asset, with limits and credential checks. */
export async function getAsset(bench: BenchPlatform): Promise<Prepared> {
  const { data: asset } = await bench.keyApi.post<{ data: { id: string } }>("/assets", {
    name: "Bench asset",
    description: "Read in every request",
    cost: 1249.9,
  });
  const gateway = bench.platform.gateway.env;
  const bare = await startBaseline("baseline-asset-route.ts", {
    SERVICE_PRIVATE_KEY: gateway.SERVICE_PRIVATE_KEY ?? "",
    TRUSTED_KEYS: gateway.TRUSTED_KEYS ?? "",
    REGISTER_ADDRESS: gateway.REGISTER_ADDRESS ?? "",
    WORKSPACE_ID: bench.demo.workspace_id,
  });
  const register = () => ({ register: bench.platform.services.register?.pid() ?? 0 });
  const load = (origin: string, server: () => Record<string, number>) =>
    httpLoad({
      origin,
      processes: () => ({ client: process.pid, ...server(), ...register() }),
      inFlight: 32,
      expected: 200,
      next: () => ({
        method: "GET",
        path: `/v1/assets/${asset.id}`,
        headers: { authorization: `Bearer ${bench.demo.api_key}` },
      }),
    });
  return {
    benchmark: {
      name: "get-asset",
      work: "GET /v1/assets/{id} with a key, 32 in flight; baseline: bare Fastify route that makes the same gRPC call",
      goal: 0.7,
      ours: load(bench.demo.base_url, () => ({ gateway: bench.platform.gateway.pid() })),
      baseline: load(bare.origin, () => ({ route: bare.pid })),
    },
    stop: bare.stop,
  };
}
