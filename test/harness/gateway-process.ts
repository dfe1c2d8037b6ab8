import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { findFreePort, type PlatformProcess, startPlatformProcess } from "@asset-register/local";

export type GatewayProcess = PlatformProcess & { url: string };

const ENTRY = path.join(import.meta.dirname, "../../gateway/src/main.ts");

/**
 * Starts a gateway in a process of its own, so with a heap and a clock of its own. `stop` also removes its log.
 * @throws LocalError if it does not get ready
 */
export async function startGatewayProcess(env: Record<string, string | undefined>): Promise<GatewayProcess> {
  const dataDirectory = await mkdtemp(path.join(tmpdir(), "asset-register-gateway-"));
  const [http, healthAddress] = [`127.0.0.1:${await findFreePort()}`, `127.0.0.1:${await findFreePort()}`];
  const started = await startPlatformProcess({
    name: "gateway",
    entry: ENTRY,
    env: { ...process.env, ...env, HTTP_ADDRESS: http, HEALTH_ADDRESS: healthAddress },
    healthAddress,
    dataDirectory,
    progress: () => {},
  });
  const stop = async (): Promise<void> => {
    await started.stop();
    await rm(dataDirectory, { recursive: true, force: true });
  };
  try {
    await started.ready();
  } catch (error) {
    await stop();
    throw error;
  }
  return { ...started, url: `http://${http}`, stop };
}
