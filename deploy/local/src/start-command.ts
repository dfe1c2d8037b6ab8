import { join } from "node:path";
import { type Demo, refuseProduction, seedDemo } from "./demo.ts";
import { startPlatform } from "./platform.ts";
import { requireFree } from "./ports.ts";
import { runUntilEnded } from "./run-command.ts";
import { startServers } from "./servers.ts";
import type { Progress } from "./types.ts";
import { writeWhole } from "./write-whole.ts";

export type StartCommand = { dataDirectory: string; gatewayPort: number | undefined; progress: Progress };

/** Brings the whole platform up with its demo workspaces and keeps it until Ctrl-C. */
export async function runPlatform(command: StartCommand): Promise<void> {
  const { dataDirectory, progress } = command;
  // Else the topics would fail first, for want of three brokers.
  refuseProduction(process.env);
  const gatewayPort = command.gatewayPort ?? 8080;
  await runUntilEnded(command, async () => {
    // Before the servers: it is the port that most often is taken.
    await requireFree(gatewayPort, "the gateway", "GATEWAY_PORT");
    const servers = await startServers({ dataDirectory, progress });
    try {
      const platform = await startPlatform({ servers, dataDirectory, gatewayPort, progress });
      try {
        const env = platform.services.identity?.env ?? {};
        const demo = await seedDemo({ env, gatewayUrl: platform.baseUrl, dataDirectory, progress });
        writeWhole(join(dataDirectory, "demo.json"), `${JSON.stringify(demo, null, 2)}\n`);
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
The platform is up.

  Gateway        ${demo.base_url}
  Documents      ${demo.base_url}/docs
  Sign-in        ${demo.email} / ${demo.password}   (surface B, /asset_manager_api/login)
  API key        ${demo.api_key}   (surface A, /v1)
  Workspace      ${demo.workspace_id}
  All of this    ${join(dataDirectory, "demo.json")}
  Logs           ${join(dataDirectory, "logs")}

Try:

  curl -H "Authorization: Bearer ${demo.api_key}" ${demo.base_url}/v1/me

Ctrl-C stops it; its data stays in ${dataDirectory}.
`;
}
