import type { Logger, Metrics } from "@asset-register/runtime";
import type { mongo } from "mongoose";

/**
 * Logs when a member of the database becomes unavailable and available, and counts the connections of the pool. The
 * heartbeats of each member are separate: with one state for all, a failed member and a healthy one would alternate.
 */
export function observeConnection(client: mongo.MongoClient, logger: Logger, metrics?: Metrics): void {
  const unavailable = new Set<string>();
  client.on("serverHeartbeatFailed", ({ connectionId: server, failure }) => {
    if (unavailable.has(server)) return;
    unavailable.add(server);
    logger.warn({ server, reason: failure.message }, "MongoDB does not answer");
  });
  client.on("serverHeartbeatSucceeded", ({ connectionId: server }) => {
    if (unavailable.delete(server)) logger.info({ server }, "MongoDB answers again");
  });
  client.on("serverClosed", ({ address }) => void unavailable.delete(address));
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
