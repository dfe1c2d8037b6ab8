import { eventually, privateReplicaSet, type ReplicaSet } from "@asset-register/harness";
import { serverKinds } from "@asset-register/local";
import { createLogger } from "@asset-register/runtime";
import mongoose from "mongoose";
import { afterAll, beforeAll, expect, test } from "vitest";
import { observeConnection } from "../src/observe.ts";

let set: ReplicaSet;
let client: mongoose.mongo.MongoClient;
const lines: { message: string; server?: string }[] = [];

beforeAll(async () => {
  set = await privateReplicaSet();
  const destination = { write: (line: string) => void lines.push(JSON.parse(line)) };
  client = new mongoose.mongo.MongoClient(set.url, { heartbeatFrequencyMS: 500 });
  observeConnection(client, createLogger({ service: "member-down", destination }));
  await client.connect();
}, 180_000);
afterAll(async () => {
  await client?.close();
  await set?.stop();
});

test("a member of three that is down is logged once, writes continue, and `servers` accepts the URL", async () => {
  const down = set.members[2]!;
  await down.kill();
  await eventually(() => expect(lines).not.toEqual([]));
  // With one state for all members, each of these heartbeats would be a line.
  let failed = 0;
  let answered = 0;
  client.on("serverHeartbeatFailed", () => (failed += 1));
  client.on("serverHeartbeatSucceeded", () => (answered += 1));
  await eventually(() => expect(Math.min(failed, answered)).toBeGreaterThan(2));

  await client
    .db("member-down")
    .collection("things")
    .insertOne({}, { writeConcern: { w: "majority" } });
  await serverKinds.mongo.probe(set.url, undefined);
  expect(lines.map(({ message, server }) => [message, server])).toEqual([
    ["MongoDB does not answer", down.host],
  ]);

  await down.restart();
  await eventually(() => expect(lines).toHaveLength(2));
  expect(lines[1]).toMatchObject({ message: "MongoDB answers again", server: down.host });
});
