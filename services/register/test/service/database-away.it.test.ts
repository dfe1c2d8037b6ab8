import { eventually, privateServer } from "@asset-register/harness";
import { topics } from "@asset-register/proto/topics";
import { failure } from "@asset-register/service-harness";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import mongoose from "mongoose";
import { afterAll, expect, test } from "vitest";
import { makeAsset, seedWorkspace, startRegister } from "../support.ts";

const server = await privateServer("mongo");
// A hanging transaction locks its rows until this limit. The default of 60 s would make the test slow. On a busy machine
// others last for seconds too.
const connection = await mongoose.createConnection(server.url).asPromise();
await connection.getClient().db("admin").command({ setParameter: 1, transactionLifetimeLimitSeconds: 5 });
await connection.close();
const register = await startRegister({ mongoUrl: server.url });
afterAll(async () => {
  await register.stop();
  await server.stop();
});

test("a database that hangs during commands: UNAVAILABLE in time, and one effect after a retry", {
  timeout: 180_000,
}, async () => {
  const { assets } = register;
  const workspace = await seedWorkspace(register);
  const seenId = await makeAsset(register, workspace, { name: "Seen" });
  const keys = Array.from({ length: 12 }, (_, n) => `key-${n}`);
  const make = async (key: string, deadlineMs: number) => {
    const options = { ...workspace.admin, idempotencyKey: key, deadlineMs };
    return (await assets.createAsset({ asset: { name: key } }, options)).asset?.id ?? "";
  };

  // The first commands are answered; the others are running when the database stops.
  const [first, second, ...others] = keys;
  const answered = await Promise.all([make(first!, 20_000), make(second!, 20_000)]);
  const underWay = others.map((key) => make(key, 60_000).then((id) => ({ id }), failureOf));
  await server.pause();
  // The server answers before the default deadline of the caller. A shorter deadline gets an earlier answer.
  await eventually(async () => {
    const short = { ...workspace.admin, deadlineMs: 1_000 };
    const error = await failure(assets.getAsset({ id: seenId }, short));
    expect(error).toMatchObject({ kind: "unavailable", code: "DEADLINE_EXCEEDED" });
  });
  const results = await Promise.all(underWay);
  for (const result of results) {
    if ("error" in result) expect(result.error).toMatchObject({ kind: "unavailable", code: "UNAVAILABLE" });
  }
  expect(await failure(make("key-new", 60_000))).toMatchObject({ code: "UNAVAILABLE" });
  await register.publish(sightingOf(workspace.id, seenId));
  await server.resume();

  const again = await Promise.all(keys.map((key) => eventually(() => make(key, 20_000))));
  expect(again.slice(0, 2)).toEqual(answered);
  for (const [index, result] of results.entries()) {
    if ("id" in result) expect(again[index + 2]).toBe(result.id);
  }
  const { assets: all } = await assets.listAssets({ page: { limit: 100 } }, workspace.admin);
  expect(all.map(({ name }) => name).sort()).toEqual([...keys, "Seen"].sort());
  expect(new Set(all.map(({ number }) => number)).size).toBe(all.length);
  // Events that arrived by Kafka have waited. Each published event belongs to one stored asset.
  await eventually(async () => {
    const { asset } = await assets.getAsset({ id: seenId }, workspace.admin);
    expect(asset?.lastSeen?.zoneId).toBe("zon_1");
    // The relay may send an event twice: then both have the same id.
    const events = again.map((id) => new Set(register.recorded.asset.of(id).map((event) => event.id)));
    expect(events.map(({ size }) => size)).toEqual(again.map(() => 1));
  });
  expect(await register.deadLetters.list()).toEqual([]);
});

const failureOf = (error: unknown) => ({ error });

function sightingOf(workspaceId: string, assetId: string) {
  const at = timestampFromDate(new Date());
  const sighting = { assetId, readerId: "rdr_1", zoneId: "zon_1", at };
  return {
    ...{ topic: topics.sighting, workspaceId, subject: assetId, sequence: 1, type: "sighting.seen" },
    message: { sighting, change: { case: "seen" as const, value: {} } },
    time: new Date(),
  };
}
