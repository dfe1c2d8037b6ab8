import type { Logger, Metrics } from "@asset-register/runtime";
import type { mongo } from "mongoose";

/** Logs when the database becomes unavailable and available, and counts the connections of the pool. */
export function observeConnection(client: mongo.MongoClient, logger: Logger, metrics?: Metrics): void {
  let unavailable = false;
  client.on("serverHeartbeatFailed", ({ connectionId, failure }) => {
    if (unavailable) return;
    unavailable = true;
    logger.warn({ server: connectionId, reason: failure.message }, "MongoDB does not answer");
  });
  client.on("serverHeartbeatSucceeded", ({ connectionId }) => {
    if (!unavailable) return;
    unavailable = false;
    logger.info({ server: connectionId }, "MongoDB answers again");
  });
  if (metrics === undefined) return;
  const connections = metrics.gauge({
    name: "db_client_connection_count",
    help: "Connections to MongoDB",
    labelNames: ["state"],
  });
  // Connections are tracked by id. A counter of events would miss the connection that exists before the listeners.
  const idle = new Set<string>();
  const used = new Set<string>();
  const moveTo =
    (state?: Set<string>) =>
    ({ address, connectionId }: { address: string; connectionId: number | "<monitor>" }) => {
      const connection = `${address} ${connectionId}`;
      idle.delete(connection);
      used.delete(connection);
      state?.add(connection);
      connections.set({ state: "idle" }, idle.size);
      connections.set({ state: "used" }, used.size);
    };
  client.on("connectionCreated", moveTo(idle));
  client.on("connectionCheckedOut", moveTo(used));
  client.on("connectionCheckedIn", moveTo(idle));
  client.on("connectionClosed", moveTo());
}
