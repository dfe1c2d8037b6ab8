import { join } from "node:path";
import { assertNotProduction, type Demo, seedDemo } from "./demo.ts";
import { startPlatform } from "./platform.ts";
import { requireFree } from "./ports.ts";
import { runUntilShutdown } from "./run-until-shutdown.ts";
import { startServers } from "./servers.ts";
import type { Progress } from "./types.ts";
import { writeFileAtomically } from "./write-file-atomically.ts";

export type StartCommand = { dataDirectory: string; gatewayPort: number | undefined; progress: Progress };

/**
 * Runs the whole platform with its demo workspaces until Ctrl-C.
 * @throws LocalError if a part can't start or exits unexpectedly
 */
export async function runPlatform(command: StartCommand): Promise<void> {
  const { dataDirectory, progress } = command;
  // Checked first. Otherwise creating the topics would fail, because production needs three brokers.
  assertNotProduction(process.env);
  const gatewayPort = command.gatewayPort ?? 8080;
  await runUntilShutdown(command, async () => {
    // Checked before the servers start, because this port is the most likely to be taken.
    await requireFree(gatewayPort, "the gateway", "GATEWAY_PORT");
    const servers = await startServers({ dataDirectory, progress });
    try {
      const platform = await startPlatform({ servers, dataDirectory, gatewayPort, progress });
      try {
        const env = platform.services.identity?.env ?? {};
        const demo = await seedDemo({ env, gatewayUrl: platform.baseUrl, dataDirectory, progress });
        writeFileAtomically(join(dataDirectory, "demo.json"), `${JSON.stringify(demo, null, 2)}\n`);
        process.stdout.write(welcome(demo, dataDirectory));
      } catch (error) {
        await platform.stop();
        throw error;
      }
      return {
        failed: Promise.race([platform.failed, servers.failed]),
        async stop() {
          await platform.stop();
          await servers.stop();
        },
      };
    } catch (error) {
      await servers.stop();
      throw error;
    }
  });
}

function welcome(demo: Demo, dataDirectory: string): string {
  return `
The platform is running.

  Gateway        ${demo.base_url}
  API docs       ${demo.base_url}/docs
  Sign-in        ${demo.email} / ${demo.password}   (surface B, /asset_manager_api/login)
  API key        ${demo.api_key}   (surface A, /v1)
  Workspace      ${demo.workspace_id}
  This summary   ${join(dataDirectory, "demo.json")}
  Logs           ${join(dataDirectory, "logs")}

Try:

  curl -H "Authorization: Bearer ${demo.api_key}" ${demo.base_url}/v1/me

Ctrl-C stops it. Its data stays in ${dataDirectory}.
`;
}
