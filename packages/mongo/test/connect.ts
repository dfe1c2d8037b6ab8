import { freshDatabase, testServers } from "@asset-register/harness";
import { createLogger } from "@asset-register/runtime";
import { connectMongo, type Mongo } from "../src/index.ts";

export const silent = createLogger({ service: "mongo-test", level: "silent" });

/** Connects to a new database on the shared server. */
export function connectFresh(database = freshDatabase()): Promise<Mongo> {
  return connectMongo({ url: testServers().mongoUrl, database, logger: silent });
}

/** The documents of these tests. */
export type Thing = { _id: string; workspaceId: string; name?: string; count?: number };
