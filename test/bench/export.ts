import type { Prepared, Side } from "./benchmark.ts";
import { startBaseline } from "./child.ts";
import { readRows } from "./download.ts";
import { addGeneratedAssets } from "./generated-register.ts";
import { accessToken, type BenchPlatform, registerDatabase } from "./platform.ts";

/** More than a round reads on these machines. The rate does not depend on their number. */
const ROWS = 200_000;

/** The register as CSV, as fast as one client reads it. */
export async function exportRegister(bench: BenchPlatform): Promise<Prepared> {
  await addGeneratedAssets(bench, ROWS);
  const bare = await startBaseline("baseline-export.ts", {
    ...{ MONGO_URL: bench.mongoUrl, DATABASE: registerDatabase(bench) },
    WORKSPACE_ID: bench.demo.workspace_id,
  });
  const register = () => ({ register: bench.platform.services.register?.pid() ?? 0 });
  return {
    benchmark: {
      name: "export",
      work: "rows of /export/register.csv to one client; baseline: bare Fastify route that quotes the same fields from a raw cursor",
      goal: 0.6,
      ours: download(
        `${bench.demo.base_url}/asset_manager_api/export/register.csv`,
        async () => ({ authorization: `Bearer ${await accessToken(bench.demo)}` }),
        () => ({ gateway: bench.platform.gateway.pid(), ...register(), ...bench.serverPids }),
      ),
      baseline: download(
        `${bare.origin}/export/register.csv`,
        async () => ({}),
        () => ({ route: bare.pid, ...bench.serverPids }),
      ),
    },
    stop: bare.stop,
  };
}

/** Reads for the whole round, and begins again if the file ends. */
function download(
  url: string,
  headers: () => Promise<Record<string, string>>,
  processes: Side["processes"],
): Side {
  return {
    processes: () => ({ client: process.pid, ...processes() }),
    async run(milliseconds) {
      const signedIn = await headers();
      const started = performance.now();
      const until = started + milliseconds;
      let operations = 0;
      while (performance.now() < until) {
        operations += await readRows(url, signedIn, () => performance.now() >= until);
      }
      return { operations, milliseconds: performance.now() - started };
    },
  };
}
