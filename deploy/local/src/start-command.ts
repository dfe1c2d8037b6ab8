import { join } from "node:path";
import { assertNotProduction, type Demo } from "./demo.ts";
import { startDemoPlatform } from "./demo-platform.ts";
import { CHEAP_JAVA } from "./java.ts";
import { demoFileOf } from "./platform.ts";
import { requireFree } from "./ports.ts";
import { runUntilShutdown } from "./run-until-shutdown.ts";
import type { Progress } from "./types.ts";

export type StartCommand = { dataDirectory: string; gatewayPort: number | undefined; progress: Progress };

/**
 * Runs the whole platform with its demo workspaces until Ctrl-C.
 * @throws LocalError if a part can't start or exits unexpectedly
 */
export async function runPlatform(command: StartCommand): Promise<void> {
  const { dataDirectory, progress } = command;
  // Checked first. Otherwise creating the topics would fail, because production needs three brokers.
  assertNotProduction(process.env);
  process.env.JDK_JAVA_OPTIONS ??= CHEAP_JAVA;
  const gatewayPort = command.gatewayPort ?? 8080;
  await runUntilShutdown(command, async () => {
    // Checked before the servers start, because this port is the most likely to be taken.
    await requireFree(gatewayPort, "the gateway", "GATEWAY_PORT");
    const { demo, ...running } = await startDemoPlatform({ dataDirectory, gatewayPort, progress });
    process.stdout.write(welcome(demo, dataDirectory));
    return running;
  });
}

function welcome(demo: Demo, dataDirectory: string): string {
  return `
The platform is running. Open it in a browser, and choose "Open the demo":

  Console        ${demo.base_url.replace("127.0.0.1", "localhost")}/app/

  Gateway        ${demo.base_url}
  API docs       ${demo.base_url}/docs
  Sign-in        ${demo.email} / ${demo.password}   (surface B, /asset_manager_api/login)
  API key        ${demo.api_key}   (surface A, /v1)
  Workspace      ${demo.workspace_id}
  This summary   ${demoFileOf(dataDirectory)}
  Logs           ${join(dataDirectory, "logs")}

Try:

  curl -H "Authorization: Bearer ${demo.api_key}" ${demo.base_url}/v1/me

Ctrl-C stops it. Its data stays in ${dataDirectory}.
`;
}
