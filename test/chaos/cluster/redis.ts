import { readdir, rm } from "node:fs/promises";
import path from "node:path";
import type { Cluster, ClusterMember } from "@asset-register/local";
import { Redis } from "ioredis";

/** The name of the server of Redis that takes writes now. */
export async function findRedisPrimary({ members }: Cluster): Promise<string> {
  for (const [name, { kind, address }] of members)
    if (kind === "redis" && (await isPrimary(address))) return name;
  throw new Error("No server of Redis is the primary.");
}

async function isPrimary(address: string): Promise<boolean> {
  const client = new Redis(`redis://${address}`, { lazyConnect: true, commandTimeout: 5_000 });
  try {
    await client.connect();
    return (await client.info("replication")).includes("role:master");
  } finally {
    client.disconnect();
  }
}

/** Removes everything but the settings, in which Redis writes whose replica it is. */
export async function removeRedisData({ directory = "" }: ClusterMember): Promise<void> {
  const files = await readdir(directory);
  const data = files.filter((file) => file !== "redis.conf");
  for (const file of data) await rm(path.join(directory, file), { recursive: true });
}
