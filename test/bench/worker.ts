import path from "node:path";
import { findFreePort, type PlatformProcess, startPlatformProcess } from "@asset-register/local";
import type { BenchPlatform } from "./platform.ts";

const ENTRY = path.join(import.meta.dirname, "../../services/tagging-ingest/src/main.ts");

type Settings = { ROLES: string } & Record<string, string>;

/** Starts one more process of tagging-ingest, as a further replica. */
export async function startReplica(
  { platform, dataDirectory }: BenchPlatform,
  name: string,
  settings: Settings,
): Promise<PlatformProcess & { grpcAddress: string }> {
  const service = platform.services["tagging-ingest"];
  if (service === undefined) throw new Error("tagging-ingest is not running");
  const [grpcAddress, healthAddress] = [
    `127.0.0.1:${await findFreePort()}`,
    `127.0.0.1:${await findFreePort()}`,
  ];
  const replica = await startPlatformProcess({
    name,
    entry: ENTRY,
    env: { ...service.env, ...settings, GRPC_ADDRESS: grpcAddress, HEALTH_ADDRESS: healthAddress },
    ...{ healthAddress, dataDirectory, progress: () => {} },
  });
  await replica.ready();
  return { ...replica, grpcAddress };
}
