import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Demo } from "@asset-register/harness/client";
import {
  type Cluster,
  type ClusterOptions,
  type Progress,
  seedDemo,
  startCluster,
} from "@asset-register/local";
import { SETTINGS } from "../platform.ts";
import { type Clocks, createClocks } from "./clocks.ts";

export type ChaosCluster = { cluster: Cluster; demo: Demo; clocks: Clocks; stop(): Promise<void> };

/** Starts a cluster on temporary data, with clocks that can be moved. */
export async function startChaosCluster(
  options: Pick<ClusterOptions, "services" | "copies" | "electionTimeoutMs" | "roles" | "settings">,
  progress: Progress,
): Promise<ChaosCluster> {
  const dataDirectory = await mkdtemp(path.join(tmpdir(), "asset-register-cluster-"));
  let cluster: Cluster | undefined;
  const stop = async (): Promise<void> => {
    await cluster?.stop();
    await rm(dataDirectory, { recursive: true, force: true });
  };
  try {
    const clocks = await createClocks(dataDirectory, () => cluster?.members ?? new Map());
    const settings = { ...SETTINGS, ...clocks.settings, ...options.settings };
    cluster = await startCluster({ ...options, dataDirectory, progress, settings });
    const [gatewayUrl = ""] = cluster.baseUrls;
    const demo = await seedDemo({ env: cluster.envOf("identity"), gatewayUrl, dataDirectory, progress });
    return { cluster, demo, clocks, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
