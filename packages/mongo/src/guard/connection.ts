import type { Connection, Model, mongo, Schema } from "mongoose";
import type { Internals } from "../mongo.ts";
import { guardCollection, type TenantDocument } from "./collection.ts";
import { TenantGuardError } from "./tenant-guard-error.ts";

type AnyDocument = mongo.BSON.Document;

/** What a service may use of a connection. The rest leads around the guard, or is nobody's business. */
const allowed = new Set<string | symbol>([
  "collection",
  "model",
  "models",
  "modelNames",
  "name",
  "readyState",
  "on",
  "once",
  "off",
]);

/**
 * Puts the guard under each collection that mongoose opens on this connection, so that models, their
 * queries, cursors, populate and save all end in it, and answers the connection without its raw handles.
 */
export function guardConnection(connection: Connection, { db, counts }: Internals): Connection {
  const open: Connection["collection"] = connection.collection.bind(connection);
  const guarded = new WeakSet<object>();
  connection.collection = <C extends AnyDocument>(name: string, options?: mongo.CreateCollectionOptions) => {
    const collection = open<C>(name, options);
    if (!guarded.has(collection)) {
      guarded.add(collection);
      // Mongoose sends each call to the driver's collection that it finds here.
      const value = guardCollection(db.collection<TenantDocument>(name), counts);
      Object.defineProperty(collection, "collection", { value });
    }
    return collection;
  };
  return new Proxy(connection, {
    get(target, name) {
      // Asked by `await` and by those who print an object.
      if (typeof name === "symbol" || name === "then" || name === "toJSON") return undefined;
      if (!allowed.has(name)) throw new TenantGuardError("connection", name, "is not allowed");
      const value: unknown = Reflect.get(target, name);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}

/** A model whose documents name their workspace in each of their own writes as well. */
export function tenantModel<T extends TenantDocument>(
  connection: Connection,
  name: string,
  schema: Schema<T>,
  collection: string,
): Model<T> {
  const owned = schema.clone();
  if (owned.path("workspaceId")?.instance !== "String") {
    throw new TenantGuardError(collection, "model", "the schema needs workspaceId of type String");
  }
  // Mongoose adds the shard key to the filter of save and deleteOne of a document.
  owned.set("shardKey", { workspaceId: 1 });
  return connection.model<T>(name, owned, collection);
}
