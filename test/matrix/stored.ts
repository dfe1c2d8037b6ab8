import { testServers } from "@asset-register/harness";
import type { Platform } from "@asset-register/local";
import mongoose from "mongoose";

/** Reads everything that the services have stored for a workspace, by collection. */
export type Stored = {
  of(workspaceId: string): Promise<Record<string, Record<string, unknown>[]>>;
  close(): Promise<void>;
};

export async function openStored({ services }: Platform): Promise<Stored> {
  const connection = await mongoose.createConnection(testServers().mongoUrl).asPromise();
  const databases = Object.values(services).map(({ env }) => connection.getClient().db(env.MONGO_DATABASE));
  return {
    async of(workspaceId) {
      const collections = (await Promise.all(databases.map((database) => database.collections()))).flat();
      const filter = { $or: [{ workspaceId }, { _id: workspaceId as never }] };
      const found = collections.map(async (collection) => {
        const documents = await collection.find(filter).sort({ _id: 1 }).toArray();
        return [collection.namespace, documents] as const;
      });
      const nonEmpty = (await Promise.all(found)).filter(([, documents]) => documents.length > 0);
      return Object.fromEntries(nonEmpty);
    },
    close: () => connection.close(),
  };
}
