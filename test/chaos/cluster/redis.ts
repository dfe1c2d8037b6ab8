import { readdir, rm } from "node:fs/promises";
import path from "node:path";
import { type Cluster, type ClusterMember, withRedis } from "@asset-register/local";

/** The name of the server of Redis that takes writes now. */
export async function findRedisPrimary({ members }: Cluster): Promise<string> {
  for (const [name, { kind, address }] of members)
    if (kind === "redis" && (await isPrimary(address))) return name;
  throw new Error("No server of Redis is the primary.");
}

const isPrimary = async (address: string): Promise<boolean> =>
  (await withRedis(`redis://${address}`, (client) => client.info("replication"))).includes("role:master");

/** Removes everything but the settings, in which Redis writes whose replica it is. */
export async function removeRedisData({ directory = "" }: ClusterMember): Promise<void> {
  const files = await readdir(directory);
  const data = files.filter((file) => file !== "redis.conf");
  for (const file of data) await rm(path.join(directory, file), { recursive: true });
}
