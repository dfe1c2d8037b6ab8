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
  client.on("connectionCreated", () => connections.inc({ state: "idle" }));
  client.on("connectionClosed", () => connections.dec({ state: "idle" }));
  client.on("connectionCheckedOut", () => {
    connections.dec({ state: "idle" });
    connections.inc({ state: "used" });
  });
  client.on("connectionCheckedIn", () => {
    connections.dec({ state: "used" });
    connections.inc({ state: "idle" });
  });
}
