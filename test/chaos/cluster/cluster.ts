import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Demo } from "@asset-register/harness/client";
import {
  type ChangeLaunch,
  type Cluster,
  type ClusterOptions,
  type Progress,
  seedDemo,
  startCluster,
} from "@asset-register/local";
import { SETTINGS } from "../platform.ts";
import { type Clocks, createClocks, createServerClocks, type ServerClocks } from "./clocks.ts";
import { createDisks, type Disks, whyNoDisks } from "./disks.ts";
import type { Fault, Need } from "./faults.ts";

export type ChaosCluster = {
  cluster: Cluster;
  demo: Demo;
  clocks: Clocks;
  serverClocks: ServerClocks | undefined;
  disks: Disks | undefined;
  /** What faults need and this machine does not have, with the reason. */
  missing: ReadonlyMap<Need, string>;
  stop(): Promise<void>;
};

type Options = Pick<ClusterOptions, "services" | "copies" | "electionTimeoutMs" | "roles" | "settings"> & {
  /** Those that will be made. Default: none. */
  faults?: readonly Fault[];
};

/** Starts a cluster on temporary data, with clocks that can be moved, and with the disks that the faults need. */
export async function startChaosCluster(
  { faults = [], ...options }: Options,
  progress: Progress,
): Promise<ChaosCluster> {
  const dataDirectory = await mkdtemp(path.join(tmpdir(), "asset-register-cluster-"));
  const missing = new Map<Need, string>();
  let disks: Disks | undefined;
  let serverClocks: ServerClocks | undefined;
  let cluster: Cluster | undefined;
  const stop = async (): Promise<void> => {
    await cluster?.stop();
    disks?.stop();
    await rm(dataDirectory, { recursive: true, force: true });
  };
  try {
    const needs = new Set(faults.map(({ needs: need }) => need));
    if (needs.has("disks")) {
      const reason = await whyNoDisks();
      if (reason === undefined) disks = createDisks();
      else missing.set("disks", reason);
    }
    if (needs.has("server clocks"))
      serverClocks = await createServerClocks(dataDirectory).catch((error: unknown) => {
        missing.set("server clocks", `the library of moved clocks can't be compiled: ${String(error)}`);
        return undefined;
      });
    const clocks = await createClocks(dataDirectory, () => cluster?.members ?? new Map());
    const settings = { ...SETTINGS, ...clocks.settings, ...options.settings };
    const changeLaunch: ChangeLaunch = async (server, launch, directory) => {
      const clocked = (await serverClocks?.changeLaunch(server, launch, directory)) ?? launch;
      return (await disks?.changeLaunch(server, clocked, directory)) ?? clocked;
    };
    cluster = await startCluster({ ...options, dataDirectory, changeLaunch, progress, settings });
    const [gatewayUrl = ""] = cluster.baseUrls;
    const demo = await seedDemo({ env: cluster.envOf("identity"), gatewayUrl, dataDirectory, progress });
    return { cluster, demo, clocks, serverClocks, disks, missing, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
