import type { Logger, Metrics } from "@asset-register/runtime";
import type { mongo } from "mongoose";

/** Says in the log when the database goes away and comes back, and counts the pool's connections. */
export function observeConnection(client: mongo.MongoClient, logger: Logger, metrics?: Metrics): void {
  let away = false;
  client.on("serverHeartbeatFailed", ({ connectionId, failure }) => {
    if (away) return;
    away = true;
    logger.warn({ server: connectionId, reason: failure.message }, "MongoDB does not answer");
  });
  client.on("serverHeartbeatSucceeded", ({ connectionId }) => {
    if (!away) return;
    away = false;
    logger.info({ server: connectionId }, "MongoDB answers again");
  });
  if (metrics === undefined) return;
  const connections = metrics.gauge({
    name: "db_client_connection_count",
    help: "Connections to MongoDB",
    labelNames: ["state"],
  });
  // By their ids and not by counting events: one was made before anybody listened.
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
