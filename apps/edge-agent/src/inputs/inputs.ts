import { z } from "zod";
import type { Log } from "../log.ts";
import type { Peer } from "./connection/open-socket.ts";
import * as csv from "./csv/csv.ts";
import { type HttpListener, schema as httpSchema } from "./http-listener.ts";
import * as impinjStream from "./impinj/impinj-stream.ts";
import type { Input, Sink } from "./input.ts";
import * as lines from "./lines.ts";
import * as llrp from "./llrp/llrp.ts";
import { schema as brokerSchema, type MqttBroker } from "./mqtt/broker.ts";
import * as mqtt from "./mqtt/client.ts";

/** All inputs, by their `type`. */
export const inputConfig = z.discriminatedUnion("type", [
  httpSchema,
  brokerSchema,
  mqtt.schema,
  impinjStream.schema,
  llrp.schema,
  csv.schema,
  lines.schema,
]);

export type InputConfig = z.output<typeof inputConfig>;

/** What an input belongs to. */
export type InputPlace = {
  reader: string;
  sink: Sink;
  log: Log;
  http: HttpListener | undefined;
  broker: MqttBroker | undefined;
};

/** @throws Error if the input cannot exist: a file of its certificate is missing, for example */
export function createInput(config: InputConfig, { reader, sink, log, http, broker }: InputPlace): Input {
  switch (config.type) {
    case "http":
      if (http === undefined) throw new Error("`http` is not configured.");
      return http.add(reader, config, sink);
    case "mqtt_broker":
      if (broker === undefined) throw new Error("`mqtt_broker` is not configured.");
      return broker.add(config, sink);
    case "mqtt":
      return mqtt.create(config, sink, log);
    case "impinj_stream":
      return impinjStream.create(config, sink, log);
    case "csv":
      return csv.create(config, sink, log);
    case "lines":
      return lines.create(config, sink, log);
    case "llrp":
      return llrp.create(config, sink, log);
  }
}

/**
 * Where an input connects to, if a connection can be tried without an effect. Undefined for others: what a device sends
 * by CSV to a connection that is only tried would be lost.
 */
export function peerOf(config: InputConfig): Peer | undefined {
  switch (config.type) {
    case "llrp":
      return llrp.peerOf(config);
    case "impinj_stream":
      return impinjStream.peerOf(config);
    case "mqtt":
      return mqtt.peerOf(config);
    default:
      return undefined;
  }
}
