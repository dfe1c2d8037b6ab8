import { type CertificateWatch, isProduction, type Logger, type Metrics } from "@asset-register/runtime";
import mongoose, { type ConnectOptions } from "mongoose";
import { createCountCache } from "./count-cache.ts";
import { guardCollection, type TenantCollection, type TenantDocument } from "./guard/collection.ts";
import { guardConnection, tenantModel } from "./guard/connection.ts";
import { createLeaseBatches } from "./lease-batches.ts";
import { type Internals, internals, type Mongo } from "./mongo.ts";
import { observeConnection } from "./observe.ts";
import { isReplicated, weakSettings } from "./production.ts";
import { boundsOfReads, createReadTurns } from "./read-turns.ts";
import { tlsOfUrl } from "./tls-of-url.ts";
import { createTransaction } from "./transaction.ts";
import { withMappedErrors } from "./unavailable.ts";

export type MongoSettings = {
  url: string;
  database: string;
  logger: Logger;
  metrics?: Metrics | undefined;
  /** Refuses settings that could lose an acknowledged write. Default: true if NODE_ENV is "production" or unset. */
  production?: boolean | undefined;
  /** Reads the files of the connection string again when they change. */
  certificates?: CertificateWatch | undefined;
};

/**
 * The time-outs. A call fails after 12 s at the latest, and after 5 s once the server is known to be
 * unavailable:
 *
 * - The heartbeat detects a hanging server after at most connectTimeoutMS + heartbeatFrequencyMS. This ends
 *   the calls on its connections.
 * - One retry ends after serverSelectionTimeoutMS.
 */
const options = {
  w: "majority",
  journal: true,
  wtimeoutMS: 10_000,
  readConcernLevel: "majority",
  readPreference: "primary",
  retryWrites: true,
  retryReads: true,
  serverSelectionTimeoutMS: 5_000,
  connectTimeoutMS: 5_000,
  heartbeatFrequencyMS: 2_000,
  waitQueueTimeoutMS: 5_000,
  // For a server whose heartbeat works while one of its operations hangs.
  socketTimeoutMS: 60_000,
  bufferCommands: false,
  // Migrations create the indexes.
  autoIndex: false,
  autoCreate: false,
} satisfies ConnectOptions;

const PING_MS = 2_000;

/**
 * Connects to the database of a service, with journaled majority writes and majority reads.
 *
 * @throws Error if the server is unavailable, or if in production its settings could lose acknowledged writes
 */
export async function connectMongo(settings: MongoSettings): Promise<Mongo> {
  const { url, database, logger, metrics, certificates } = settings;
  const production = settings.production ?? isProduction();
  const weak = weakSettings(url);
  if (production && weak.length > 0) {
    throw new Error(`The MongoDB connection string must not contain ${weak.join(", ")} in production.`);
  }
  const connection = new mongoose.Mongoose().createConnection(url, {
    ...options,
    ...tlsOfUrl(url, certificates),
    dbName: database,
    appName: database,
  });
  try {
    await connection.asPromise();
    const db = connection.getClient().db(database);
    await requireReplication(db, production, logger);
    observeConnection(connection.getClient(), logger, metrics);
    return assemble(connection, db, database, metrics);
  } catch (error) {
    await connection.close(true);
    throw error;
  }
}

async function requireReplication(db: mongoose.mongo.Db, production: boolean, logger: Logger): Promise<void> {
  if (isReplicated(await db.admin().command({ hello: 1 }))) return;
  const problem = "MongoDB runs as a standalone server. Transactions need a replica set.";
  if (production) throw new Error(problem);
  logger.warn(problem);
}

function assemble(
  connection: mongoose.Connection,
  db: mongoose.mongo.Db,
  database: string,
  metrics: Metrics | undefined,
): Mongo {
  const { maxPoolSize } = connection.getClient().options;
  const turns = createReadTurns(boundsOfReads(maxPoolSize), metrics);
  const leases = createLeaseBatches(withMappedErrors(db.collection("leases")));
  const internal: Internals = { db, counts: createCountCache(), turns, leases, answers: undefined };
  return {
    connection: guardConnection(connection, internal),
    database,
    collection: createCollections(internal),
    model: (name, schema, collection) => tenantModel(connection, name, schema, collection),
    transaction: createTransaction(connection.getClient(), internal),
    ping: () => respondsToPing(db),
    close: () => connection.close(),
    [internals]: internal,
  };
}

/** Caches the guarded collections: creating one takes 15 us, and stores request theirs for each query. */
function createCollections(internal: Internals): Mongo["collection"] {
  const known = new Map<string, unknown>();
  return <T extends TenantDocument>(name: string) => {
    const collection = known.get(name) ?? guardCollection<T>(internal.db.collection(name), internal);
    known.set(name, collection);
    // Nothing can check the type of the documents: as in the driver, the caller declares it for the name.
    return collection as TenantCollection<T>;
  };
}

async function respondsToPing(db: mongoose.mongo.Db): Promise<boolean> {
  const ping = db
    .admin()
    .ping()
    .then(
      () => true,
      () => false,
    );
  const late = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => late.resolve(false), PING_MS);
  try {
    return await Promise.race([ping, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
