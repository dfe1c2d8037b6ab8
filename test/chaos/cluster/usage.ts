import { readdir, readFile } from "node:fs/promises";
import type { Cluster } from "@asset-register/local";
import mongoose from "mongoose";

export type Quantity = "memory MiB" | "handles" | "connections" | "lag s" | "rows";

/** What a cluster uses at a moment, by quantity and by what has it. */
export type Usage = ReadonlyMap<string, { quantity: Quantity; amount: number }>;

const OF_MONGO_ITSELF = new Set(["admin", "config", "local"]);

/** Reads the use of every process, and the rows of every collection. */
export async function readUsage({ members, urls }: Cluster): Promise<Usage> {
  const usage = new Map<string, { quantity: Quantity; amount: number }>();
  const set = (quantity: Quantity, owner: string, amount: number): void =>
    void usage.set(`${quantity} ${owner}`, { quantity, amount });
  for (const [name, member] of members) {
    // A server fills its cache for hours.
    if (member.healthUrl !== undefined) set("memory MiB", name, await residentMiB(member.pid()));
    set("handles", name, (await readdir(`/proc/${member.pid()}/fd`)).length);
    const lag = member.healthUrl === undefined ? undefined : await lagSeconds(member.healthUrl);
    if (lag !== undefined) set("lag s", name, lag);
  }
  const client = await new mongoose.mongo.MongoClient(urls.mongo).connect();
  try {
    const { connections } = await client.db("admin").command({ serverStatus: 1 });
    set("connections", "primary of MongoDB", connections.current);
    const { databases } = await client.db("admin").admin().listDatabases({ nameOnly: true });
    for (const { name } of databases.filter((one) => !OF_MONGO_ITSELF.has(one.name))) {
      const db = client.db(name);
      for (const collection of await db.listCollections({}, { nameOnly: true }).toArray())
        set(
          "rows",
          `${name}.${collection.name}`,
          await db.collection(collection.name).estimatedDocumentCount(),
        );
    }
  } finally {
    await client.close();
  }
  return usage;
}

async function residentMiB(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, "utf8");
  return Math.round(Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) / 1024);
}

/** The longest of its consumers. Undefined for a process without consumers. */
async function lagSeconds(healthUrl: string): Promise<number | undefined> {
  const text = await (await fetch(`${healthUrl}/metrics`)).text();
  const lags = [...text.matchAll(/^consumer_lag_seconds\{.*\} (.+)$/gm)].map(([, value]) => Number(value));
  return lags.length === 0 ? undefined : Math.round(Math.max(...lags));
}
