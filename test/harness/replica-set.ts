import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { findFreePort, type RunningServer, serverKinds, startNative } from "@asset-register/local";
import mongoose from "mongoose";

export type PrivateReplicaSet = {
  /** Names every member. */
  url: string;
  members: (RunningServer & { host: string })[];
  stop(): Promise<void>;
};

const { MongoClient } = mongoose.mongo;

/**
 * Starts a replica set of three members for a test, which can kill and restart each one. The members are programs of
 * this machine, also with a Docker engine: in containers they could not reach each other at their published ports.
 */
export async function privateReplicaSet(): Promise<PrivateReplicaSet> {
  const directory = await mkdtemp(path.join(tmpdir(), "asset-register-mongo-"));
  const started = await Promise.allSettled(
    [0, 1, 2].map((index) => startMember(path.join(directory, `${index}`))),
  );
  const members = started.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
  const stop = async () => {
    await Promise.all(members.map((member) => member.kill()));
    await rm(directory, { recursive: true, force: true });
  };
  try {
    for (const one of started) if (one.status === "rejected") throw one.reason;
    const hosts = members.map(({ host }) => host);
    const url = `mongodb://${hosts.join(",")}/?replicaSet=rs0`;
    await initiate(hosts, url);
    return { url, members, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function startMember(dataDirectory: string): Promise<RunningServer & { host: string }> {
  const port = await findFreePort();
  const host = `127.0.0.1:${port}`;
  // Unlike that of a single server, this probe does not make a replica set of the member alone.
  const kind = { ...serverKinds.mongo, awaited: "the member", probe: () => ask(host, { ping: 1 }) };
  const server = await startNative(kind, { dataDirectory, port, env: process.env, progress: () => {} });
  return { ...server, host };
}

async function initiate(hosts: readonly string[], url: string): Promise<void> {
  const members = hosts.map((host, _id) => ({ _id, host }));
  await ask(hosts[0] ?? "", {
    replSetInitiate: { _id: "rs0", members, settings: { electionTimeoutMillis: 2_000 } },
  });
  const client = new MongoClient(url, { serverSelectionTimeoutMS: 60_000 });
  try {
    // Waits for the primary.
    await client.db("admin").command({ ping: 1 });
  } finally {
    await client.close();
  }
}

async function ask(host: string, command: Record<string, unknown>): Promise<void> {
  const client = new MongoClient(`mongodb://${host}`, {
    directConnection: true,
    serverSelectionTimeoutMS: 2_000,
  });
  try {
    await client.db("admin").command(command);
  } finally {
    await client.close();
  }
}
