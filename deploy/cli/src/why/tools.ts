import { createEventTracer, type EventTracer, type KafkaConnection } from "@asset-register/events";
import type { Mongo } from "@asset-register/mongo";
import { systemCollection } from "@asset-register/mongo/system";
import { type DatabaseOptions, openDatabases, openKafka } from "../connections.ts";

type Service = "register" | "tagging-ingest" | "notification";

/** The servers that a question reads. It changes nothing in them. */
export type Tools = {
  kafka: KafkaConnection;
  tracer: EventTracer;
  /** The database of a service. It is connected at the first call. */
  database(service: Service): Promise<Mongo>;
};

/** Runs `work` with the servers of the environment. */
export async function withTools<T>(options: DatabaseOptions, work: (tools: Tools) => Promise<T>): Promise<T> {
  const { kafka } = openKafka();
  const databases = openDatabases(options);
  try {
    return await work({ kafka, tracer: createEventTracer(kafka), database: databases.of });
  } finally {
    await databases.close();
  }
}

/** Records or a projection. */
type Found<R> = {
  collection: string;
  store(mongo: Mongo): { get(workspaceId: string, id: string): Promise<R | undefined> };
};

/** The record with this id, of any workspace: an operator has the id only. */
export async function findById<R>(mongo: Mongo, records: Found<R>, id: string): Promise<R | undefined> {
  const rows = systemCollection<{ _id: string; workspaceId: string }>(mongo, records.collection);
  const row = await rows.findOne({ _id: id }, { projection: { workspaceId: 1 } });
  return row === null ? undefined : records.store(mongo).get(row.workspaceId, id);
}
