import type { Connection, Model, mongo, Schema } from "mongoose";
import type { Internals } from "../mongo.ts";
import { guardCollection, type TenantDocument } from "./collection.ts";
import { TenantGuardError } from "./tenant-guard-error.ts";

type AnyDocument = mongo.BSON.Document;

/** The members of a connection that a service may use. The others bypass the guard or are not needed. */
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
 * Replaces each collection that mongoose opens on this connection by a guarded one. So models, their queries,
 * cursors, populate and save all use the guard. Returns the connection without its raw handles.
 */
export function guardConnection(connection: Connection, internal: Internals): Connection {
  const open: Connection["collection"] = connection.collection.bind(connection);
  const guarded = new WeakSet<object>();
  connection.collection = <C extends AnyDocument>(name: string, options?: mongo.CreateCollectionOptions) => {
    const collection = open<C>(name, options);
    if (!guarded.has(collection)) {
      guarded.add(collection);
      // Mongoose sends each call to the driver's collection in this property.
      const value = guardCollection(internal.db.collection<TenantDocument>(name), internal);
      Object.defineProperty(collection, "collection", { value });
    }
    return collection;
  };
  return new Proxy(connection, {
    get(target, name) {
      // `await` and functions that print objects read these properties.
      if (typeof name === "symbol" || name === "then" || name === "toJSON") return undefined;
      if (!allowed.has(name)) throw new TenantGuardError("connection", name, "is not allowed");
      const value: unknown = Reflect.get(target, name);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}

/** Creates a model. The `save` and `deleteOne` of its documents also filter by the workspace. */
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
