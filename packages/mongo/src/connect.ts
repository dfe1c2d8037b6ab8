import { isProduction, type Logger, type Metrics } from "@asset-register/runtime";
import mongoose, { type ConnectOptions } from "mongoose";
import { createCountCache } from "./count-cache.ts";
import { guardCollection, type TenantCollection, type TenantDocument } from "./guard/collection.ts";
import { guardConnection, tenantModel } from "./guard/connection.ts";
import { type Internals, internals, type Mongo } from "./mongo.ts";
import { observeConnection } from "./observe.ts";
import { isReplicated, weakSettings } from "./production.ts";
import { createTransaction } from "./transaction.ts";

export type MongoSettings = {
  url: string;
  database: string;
  logger: Logger;
  metrics?: Metrics | undefined;
  /** Refuse settings under which an acknowledged write may be lost. By default: unless NODE_ENV says otherwise. */
  production?: boolean | undefined;
};

/**
 * The bounds of waiting. A server that hangs is noticed by its heartbeat after at most
 * connectTimeoutMS + heartbeatFrequencyMS, which ends what is under way on its connections; one more
 * try ends with serverSelectionTimeoutMS. So that a call fails after 12 s at the latest, and after 5 s
 * once the server is known to be away.
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
  // A server whose heartbeat is well while one operation of it hangs.
  socketTimeoutMS: 60_000,
  bufferCommands: false,
  // Indexes are made by migrations.
  autoIndex: false,
  autoCreate: false,
} satisfies ConnectOptions;

const PING_MS = 2_000;

/**
 * Connects to a service's database with majority, journaled writes and majority reads.
 * @throws Error when the server can't be reached, or in production is too weak to keep what it acknowledges
 */
export async function connectMongo(settings: MongoSettings): Promise<Mongo> {
  const { url, database, logger, metrics } = settings;
  const production = settings.production ?? isProduction();
  const weak = weakSettings(url);
  if (production && weak.length > 0) {
    throw new Error(`The MongoDB connection string may not have ${weak.join(", ")} in production`);
  }
  const connection = new mongoose.Mongoose().createConnection(url, {
    ...options,
    dbName: database,
    appName: database,
  });
  try {
    await connection.asPromise();
    const db = connection.getClient().db(database);
    await requireReplication(db, production, logger);
    observeConnection(connection.getClient(), logger, metrics);
    return assemble(connection, db, database);
  } catch (error) {
    await connection.close(true);
    throw error;
  }
}

async function requireReplication(db: mongoose.mongo.Db, production: boolean, logger: Logger): Promise<void> {
  if (isReplicated(await db.admin().command({ hello: 1 }))) return;
  const problem = "MongoDB runs as a standalone server: it must be a replica set for transactions to work";
  if (production) throw new Error(problem);
  logger.warn(problem);
}

function assemble(connection: mongoose.Connection, db: mongoose.mongo.Db, database: string): Mongo {
  const inside: Internals = { db, counts: createCountCache(), answers: undefined };
  return {
    connection: guardConnection(connection, inside),
    database,
    collection: createCollections(inside),
    model: (name, schema, collection) => tenantModel(connection, name, schema, collection),
    transaction: createTransaction(connection.getClient(), inside),
    ping: () => answers(db),
    close: () => connection.close(),
    [internals]: inside,
  };
}

/** A guarded collection takes 15 us to make, and stores ask for theirs at each query. */
function createCollections({ db, counts }: Internals): Mongo["collection"] {
  const known = new Map<string, unknown>();
  return <T extends TenantDocument>(name: string) => {
    const collection = known.get(name) ?? guardCollection<T>(db.collection(name), counts);
    known.set(name, collection);
    // The name says what the documents are: to the driver, too, their type is only a claim.
    return collection as TenantCollection<T>;
  };
}

async function answers(db: mongoose.mongo.Db): Promise<boolean> {
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
