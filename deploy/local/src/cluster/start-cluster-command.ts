import { join } from "node:path";
import { buildConsole } from "../build-console.ts";
import { assertNotProduction, type Demo } from "../demo.ts";
import { openDemo } from "../open-demo.ts";
import { requireFree } from "../ports.ts";
import { runUntilShutdown } from "../run-until-shutdown.ts";
import type { StartCommand } from "../start-command.ts";
import { type Cluster, startCluster } from "./cluster.ts";
import { CONTROL_USAGE, createControl, serveControl } from "./control.ts";

export type StartClusterCommand = StartCommand & { roles: "together" | "split" };

/**
 * Runs a cluster with the demo workspaces until Ctrl-C: three MongoDB servers, three Kafka brokers, Redis, two processes of
 * every service and two gateways.
 * @throws LocalError if a part can't start
 */
export async function runCluster(command: StartClusterCommand): Promise<void> {
  const { dataDirectory, progress, roles } = command;
  assertNotProduction(process.env);
  const gatewayPort = command.gatewayPort ?? 8080;
  await runUntilShutdown(command, async () => {
    await requireFree(gatewayPort, "the gateway", "GATEWAY_PORT");
    const consoleDirectory = await buildConsole(progress);
    const cluster = await startCluster({ dataDirectory, gatewayPort, consoleDirectory, roles, progress });
    try {
      const [gatewayUrl = ""] = cluster.baseUrls;
      const env = cluster.envOf("identity");
      const demo = await openDemo({ env, gatewayUrl, dataDirectory, progress, keptAs: "demo-cluster" });
      const endControl = await serveControl(createControl(cluster), dataDirectory);
      process.stdout.write(welcome(cluster, demo, dataDirectory));
      return {
        // A member that ends itself is started again.
        failed: new Promise(() => undefined),
        async stop() {
          endControl();
          await cluster.stop();
        },
      };
    } catch (error) {
      await cluster.stop();
      throw error;
    }
  });
}

function welcome({ members, baseUrls }: Cluster, demo: Demo, dataDirectory: string): string {
  return `
The cluster is running: ${members.size} members.

  Console        ${demo.base_url.replace("127.0.0.1", "localhost")}/app/
  Gateways       ${baseUrls.join(", ")}
  API key        ${demo.api_key}   (surface A, /v1)
  Sign-in        ${demo.email} / ${demo.password}   (surface B, /asset_manager_api/login)
  Logs           ${join(dataDirectory, "logs")}

From another terminal, npm run cluster -- COMMAND:

${CONTROL_USAGE}

Ctrl-C stops it. Its data stays in ${dataDirectory}.
`;
}
