import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { eventually, findFreePort, privateServer } from "@asset-register/harness";
import type { TenantDocument } from "@asset-register/mongo";
import {
  AssetSchema,
  AssetService,
  DisposalMethod,
  IssuedToType,
} from "@asset-register/proto/assetregister/register/v1/asset_pb";
import { CustodyService } from "@asset-register/proto/assetregister/register/v1/custody_pb";
import { OrganisationKind } from "@asset-register/proto/assetregister/register/v1/organisation_pb";
import { codeOf } from "@asset-register/service-harness";
import { create, toJson } from "@bufbuild/protobuf";
import mongoose from "mongoose";
import { afterAll, expect, test } from "vitest";
import { existing } from "../../src/operations/assets/statuses.ts";
import { assetState } from "../../src/published.ts";
import { createAssetStore } from "../../src/store/assets/assets.ts";
import { createStatusStore } from "../../src/store/assets/statuses.ts";
import { euros, historyOf, patchAsset, statusIds } from "../asset-support.ts";
import { makeAsset, makeRecord, type RunningRegister, seedWorkspace, startRegister } from "../support.ts";

const server = await privateServer("mongo");
// The transactions of a killed process lock their rows until this limit. On a busy machine others last for seconds
// too.
const connection = await mongoose.createConnection(server.url).asPromise();
await connection.getClient().db("admin").command({ setParameter: 1, transactionLifetimeLimitSeconds: 5 });
await connection.close();
const register = await startRegister({ mongoUrl: server.url });
const home = await seedWorkspace(register);
const statuses = await statusIds(register, home);
afterAll(async () => {
  await register.stop();
  await server.stop();
});

type Clients = Pick<RunningRegister, "assets" | "custody">;

const checkOut = ({ custody }: Clients, assetId: string) =>
  custody.createCheckout({ assetId, issuedToType: IssuedToType.EXTERNAL, issuedToName: "Acme" }, home.admin);
const giveBack = ({ custody }: Clients, value: string) =>
  custody.returnCheckout({ target: { case: "assetId", value } }, home.admin);
const setStatus = ({ assets }: Clients, id: string, key: string) =>
  assets.changeStatus({ id, statusId: statuses[key] ?? "" }, home.admin);
const dispose = ({ assets }: Clients, id: string) =>
  assets.disposeAsset({ id, method: DisposalMethod.SOLD, proceeds: euros(5n), note: "Gone" }, home.admin);

/** The newest event of each asset is what compaction leaves of the topic. */
const newestEvents = () =>
  new Map(register.recorded.asset.events.map((event) => [event.subject, event.message] as const));

/** The assets in the store, without the fields that are only observed. */
async function storedAssets(): Promise<Map<string, unknown>> {
  const { mongo } = register;
  const all = await mongo.collection("assets").find({ workspaceId: home.id }).toArray();
  const byId = new Map((await createStatusStore(mongo).list(home.id)).map((status) => [status.id, status]));
  const assets = await mongo.transaction({}, (session) =>
    createAssetStore(mongo).getAll(
      home.id,
      all.map(({ _id }) => _id),
      session,
    ),
  );
  return new Map(
    assets.map((asset) => {
      const { message } = assetState(asset, existing(byId.get(asset.statusId), home.id, asset.statusId));
      const state = toJson(AssetSchema, create(AssetSchema, message?.state));
      return [asset.id, { state, statusKey: message?.statusKey, statusClass: message?.statusClass }];
    }),
  );
}

/** A projection of the topic alone has the state of the store. */
const expectProjection = () =>
  eventually(async () => {
    const projected = [...newestEvents()].map(([id, message]) => {
      const { state, statusKey, statusClass } = message!;
      return [id, { state: toJson(AssetSchema, state!), statusKey, statusClass }] as const;
    });
    expect(new Map(projected)).toEqual(await storedAssets());
  });

test("a projection built from the topic alone has the state of all assets after every kind of change", async () => {
  const locationId = await makeRecord(register, home, { kind: OrganisationKind.LOCATION, name: "Room" });
  const custodianId = await makeRecord(register, home, { kind: OrganisationKind.CUSTODIAN, name: "Ada" });
  const make = () =>
    makeAsset(register, home, { cost: euros(100n), inServiceDate: "2026-01-31", locationId });
  const [edited, moved, lent, returned, ended, gone, both] = await Promise.all(
    [1, 2, 3, 4, 5, 6, 7].map(make),
  );
  await patchAsset(register, home.admin, edited!, { number: "E-1", cost: undefined, locationId: undefined });
  await register.custody.createMovement({ assetId: moved!, toCustodianId: custodianId }, home.admin);
  await setStatus(register, moved!, "damaged");
  await checkOut(register, lent!);
  await checkOut(register, returned!);
  await giveBack(register, returned!);
  await dispose(register, ended!);
  await patchAsset(register, home.admin, ended!, { name: "Corrected" });
  await register.assets.deleteAsset({ id: gone! }, home.admin);
  await dispose(register, both!);
  await register.assets.deleteAsset({ id: both! }, home.admin);
  await expectProjection();
  expect(newestEvents().size).toBe(7);
});

/** A process of the service that serves RPCs only. */
async function startProcess(): Promise<{ child: ChildProcess; clients: Clients }> {
  const grpc = await findFreePort();
  const child = spawn(process.execPath, [path.join(import.meta.dirname, "../../src/main.ts")], {
    env: { PATH: process.env.PATH, ...register.env, ROLES: "api", GRPC_ADDRESS: `127.0.0.1:${grpc}` },
    stdio: ["ignore", "inherit", "inherit"],
  });
  const app = { ...register.app, ports: { grpc, health: 0 } };
  const clients = {
    assets: register.client(AssetService, "gateway", app),
    custody: register.client(CustodyService, "gateway", app),
  };
  await eventually(() => clients.assets.listStatuses({}, home.admin));
  return { child, clients };
}

test("a process that is killed during changes: each asset has one event, and rows of the history, for each rev", {
  timeout: 180_000,
}, async () => {
  const ids = await Promise.all(Array.from({ length: 12 }, () => makeAsset(register, home)));
  const { child, clients } = await startProcess();
  const steps = [
    (id: string) => patchAsset(clients, home.admin, id, { model: "M", cost: euros(7n) }),
    (id: string) => setStatus(clients, id, "in_use"),
    (id: string) => checkOut(clients, id),
    (id: string) => giveBack(clients, id),
    (id: string) => dispose(clients, id),
    (id: string) => clients.assets.deleteAsset({ id }, home.admin),
  ];
  let answered = 0;
  const killed = Promise.withResolvers<void>();
  try {
    const plays = ids.map(async (id, index) => {
      // Each asset is at another step when the process is killed.
      for (const step of steps.slice(index % 3)) {
        if ((await codeOf(step(id))) !== undefined) return;
        answered += 1;
        if (answered === 20) {
          child.kill("SIGKILL");
          killed.resolve();
        }
      }
    });
    await killed.promise;
    await once(child, "exit");
    await Promise.all(plays);
  } finally {
    child.kill("SIGKILL");
  }
  // A change is possible again as soon as the server has ended the transactions of the process.
  await Promise.all(ids.map((id) => eventually(() => settle(id))));
  const assets = register.mongo.collection<TenantDocument & { rev: number }>("assets");
  const rows = await assets.find({ workspaceId: home.id }).toArray();
  const revs = new Map(rows.map((row) => [row._id, row.rev]));
  expect(ids.map((id) => revs.get(id) ?? 0).reduce((sum, rev) => sum + rev)).toBeGreaterThan(ids.length + 20);
  for (const id of ids) {
    const history = await historyOf(register, home, id);
    const changes = new Set(history.map(({ requestId }) => requestId));
    expect(changes.size).toBe(revs.get(id));
    await eventually(() => {
      const sequences = register.recorded.asset.of(id).map(({ sequence }) => sequence);
      const expected = Array.from({ length: revs.get(id) ?? 0 }, (_, index) => index + 1);
      expect([...new Set(sequences)]).toEqual(expected);
    });
  }
  await expectProjection();
});

test("a process that is killed while creations share transactions: each key has one asset, and what was answered is stored", {
  timeout: 180_000,
}, async () => {
  const workspace = await seedWorkspace(register);
  const caller = workspace.key("assets:write");
  const create = async ({ assets }: Pick<Clients, "assets">, idempotencyKey: string): Promise<string> => {
    const asset = { name: `Lamp ${idempotencyKey}` };
    return (await assets.createAsset({ asset }, { ...caller, idempotencyKey })).asset?.id ?? "";
  };
  const { child, clients } = await startProcess();
  const answered = new Map<string, string>();
  const sent = new Set<string>();
  try {
    const clientsAtOnce = Array.from({ length: 16 }, async (_, client) => {
      for (let count = 0; ; count += 1) {
        const key = `${client}-${count}`;
        sent.add(key);
        answered.set(key, await create(clients, key));
        if (answered.size === 40) child.kill("SIGKILL");
      }
    });
    const exited = once(child, "exit");
    await Promise.allSettled(clientsAtOnce);
    await exited;
  } finally {
    child.kill("SIGKILL");
  }
  expect(answered.size).toBeGreaterThanOrEqual(40);
  const stored = await Promise.all(
    [...sent].map(async (key) => [key, await eventually(() => create(register, key))] as const),
  );
  for (const [key, id] of answered) expect(new Map(stored).get(key)).toBe(id);
  const ids = stored.map(([, id]) => id);
  expect(new Set(ids).size).toBe(sent.size);
  const { page } = await register.assets.listAssets({}, workspace.admin);
  expect(page?.total).toBe(sent.size);
  await eventually(() => {
    for (const id of ids) {
      const sequences = register.recorded.asset.of(id).map(({ sequence }) => sequence);
      expect([...new Set(sequences)]).toEqual([1]);
    }
  });
});

/** A last change of an asset, unless it is deleted. */
async function settle(id: string): Promise<void> {
  const code = await codeOf(patchAsset(register, home.admin, id, { description: "Settled" }));
  if (code !== undefined && code !== "NOT_FOUND") throw new Error(`not yet: ${code}`);
}
