import { buildConsole } from "./build-console.ts";
import type { Demo } from "./demo.ts";
import { openDemo } from "./open-demo.ts";
import { startPlatform } from "./platform.ts";
import type { Running } from "./run-until-shutdown.ts";
import { startServers } from "./servers.ts";
import type { Progress } from "./types.ts";

export type DemoPlatformOptions = {
  dataDirectory: string;
  /** Default: any free port. */
  gatewayPort?: number;
  /** See PlatformOptions. */
  topicPrefix?: string;
  /** More settings for every service and the gateway. */
  settings?: Record<string, string>;
  progress: Progress;
};

/**
 * Starts the servers, all services and the gateway with the console, and fills the demo workspace.
 * @throws LocalError if a part can't start; the others are then stopped
 */
export async function startDemoPlatform(options: DemoPlatformOptions): Promise<Running & { demo: Demo }> {
  const { dataDirectory, progress } = options;
  const consoleDirectory = await buildConsole(progress);
  const servers = await startServers({ dataDirectory, progress });
  try {
    const platform = await startPlatform({ ...options, servers, consoleDirectory });
    try {
      const env = platform.services.identity?.env ?? {};
      const failed = Promise.race([platform.failed, servers.failed]);
      const opening = openDemo({ env, gatewayUrl: platform.baseUrl, dataDirectory, progress });
      // A process that has exited would only let the filling wait.
      const demo = await Promise.race([opening, failed.then((fault) => Promise.reject(fault))]);
      return {
        demo,
        failed,
        async stop() {
          await platform.stop();
          await servers.stop();
        },
      };
    } catch (error) {
      await platform.stop();
      throw error;
    }
  } catch (error) {
    await servers.stop();
    throw error;
  }
}
