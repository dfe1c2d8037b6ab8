import { eventually } from "@asset-register/harness";
import {
  type ContractSchema,
  ContractService,
  ContractStatus,
  ContractType,
} from "@asset-register/proto/assetregister/maintenance/v1/contract_pb";
import { newId, requireFound } from "@asset-register/runtime";
import { codeOf, failure } from "@asset-register/service-harness";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { expect, test } from "vitest";
import { assetEvent, newWorkspace, sharedMaintenance } from "./support.ts";

// In Berlin it is already March 1.
let time = new Date("2026-02-28T23:30:00Z");
const maintenance = await sharedMaintenance(() => time);
const { register, publish, recorded } = maintenance;
const contracts = maintenance.client(ContractService);

async function setUp() {
  const workspace = await newWorkspace(maintenance);
  const { id: workspaceId, editor, viewer } = workspace;
  const assetId = register.assets.add(workspaceId, newId("ast"));
  const create = async (fields: MessageInitShape<typeof ContractSchema> = {}) => {
    const contract = { assetId, type: ContractType.SERVICE, startsOn: "2026-01-01", ...fields };
    return requireFound((await contracts.createContract({ contract }, editor)).contract);
  };
  return { workspaceId, assetId, editor, viewer, create };
}

const { CANCELLED, UPCOMING, EXPIRED, EXPIRING, ACTIVE } = ContractStatus;

test("the status follows from the dates in the workspace's time zone, and each filter finds what shows it", async () => {
  const { assetId, editor, viewer, create } = await setUp();
  const made = {
    upcoming: await create({ startsOn: "2026-03-02", provider: "Acme Lifts" }),
    expired: await create({ endsOn: "2026-02-28", reference: "SV-17" }),
    today: await create({ startsOn: "2026-03-01", endsOn: "2026-03-01" }),
    soon: await create({ endsOn: "2026-03-31", type: ContractType.WARRANTY }),
    later: await create({ endsOn: "2026-04-01", notes: "Renew by phone" }),
    endless: await create(),
    cancelled: await create({ endsOn: "2026-03-05" }),
  };
  const { contract } = await contracts.cancelContract({ id: made.cancelled.id }, editor);
  expect(contract).toMatchObject({ status: CANCELLED, rev: 2 });
  const names = new Map(Object.entries(made).map(([name, { id }]) => [id, name]));
  const shown = Object.entries(made).map(([name, { status }]) => [name, status]);
  expect(Object.fromEntries(shown)).toEqual({
    ...{ upcoming: UPCOMING, expired: EXPIRED, today: EXPIRING, soon: EXPIRING, later: ACTIVE },
    ...{ endless: ACTIVE, cancelled: EXPIRING },
  });
  const find = async (filter: object) =>
    (await contracts.listContracts(filter, viewer)).contracts.map(({ id }) => names.get(id));
  expect(await find({ status: UPCOMING })).toEqual(["upcoming"]);
  expect(await find({ status: EXPIRED })).toEqual(["expired"]);
  expect(await find({ status: EXPIRING })).toEqual(["today", "soon"]);
  expect(await find({ status: ACTIVE })).toEqual(["today", "soon", "later", "endless"]);
  expect(await find({ status: CANCELLED })).toEqual(["cancelled"]);
  expect(await find({ expiringDays: 0 })).toEqual(["today"]);
  expect(await find({ expiringDays: 31, type: ContractType.SERVICE })).toEqual(["today", "later"]);
  expect(await find({ q: "ac lif" })).toEqual(["upcoming"]);
  expect(await find({ q: "sv 17" })).toEqual(["expired"]);
  expect(await find({ q: "phone", assetId })).toEqual(["later"]);
  expect(await find({ assetId: newId("ast") })).toEqual([]);
  const first = await contracts.listExpiringContracts({ days: 31, page: { limit: 2 } }, viewer);
  const cursor = requireFound(first.page?.nextCursor);
  // The next page on the next day: a cursor stays valid.
  time = new Date("2026-03-01T23:30:00Z");
  const second = await contracts.listExpiringContracts({ days: 31, page: { limit: 2, cursor } }, viewer);
  time = new Date("2026-02-28T23:30:00Z");
  expect([...first.contracts, ...second.contracts].map(({ id }) => names.get(id))).toEqual([
    ...["today", "soon", "later"],
  ]);
  expect((await contracts.listExpiringContracts({}, viewer)).page?.total).toBe(2);
});

test("days beyond 3650, an end before the start and an unknown asset are refused on their fields", async () => {
  const { editor, viewer, create } = await setUp();
  const fieldOf = async (call: Promise<unknown>) => {
    const refused = await failure(call);
    return [refused?.code, refused?.violations[0]?.field];
  };
  const invalid = (field: string) => ["VALIDATION_FAILED", field];
  expect(await fieldOf(contracts.listExpiringContracts({ days: 3651 }, viewer))).toEqual(invalid("days"));
  expect(await fieldOf(contracts.listContracts({ expiringDays: 3651 }, viewer))).toEqual(
    invalid("expiring_days"),
  );
  expect(await fieldOf(create({ endsOn: "2025-12-31" }))).toEqual(invalid("ends_on"));
  expect(await fieldOf(create({ startsOn: "2026-02-30" }))).toEqual(invalid("starts_on"));
  expect(await fieldOf(create({ assetId: newId("ast") }))).toEqual(["NOT_FOUND", "asset_id"]);
  const { id } = await create({ endsOn: "2026-12-31" });
  const move = { contract: { id, startsOn: "2027-01-01" }, updateMask: { paths: ["starts_on"] } };
  expect(await fieldOf(contracts.updateContract(move, editor))).toEqual(invalid("ends_on"));
});

test("a change is published without the derived status; a change and a cancellation at once: none is lost", async () => {
  const { editor, create } = await setUp();
  const { id } = await create({ endsOn: "2026-03-05", cost: { minorUnits: 120_000n, currency: "EUR" } });
  const change = () =>
    contracts.updateContract({ contract: { id, notes: "Called" }, updateMask: { paths: ["notes"] } }, editor);
  const codes = await Promise.all([codeOf(change()), codeOf(contracts.cancelContract({ id }, editor))]);
  expect(codes[1]).toBeUndefined();
  expect([undefined, "CONTRACT_CANCELLED"]).toContain(codes[0]);
  const { contract } = await contracts.getContract({ id }, editor);
  expect(contract).toMatchObject({ status: CANCELLED, rev: codes[0] === undefined ? 3 : 2 });
  await eventually(() => expect(recorded.contract.of(id)).toHaveLength(contract?.rev ?? 0));
  const last = recorded.contract.of(id).at(-1)?.message;
  expect(last).toMatchObject({ state: { status: 0, endsOn: "2026-03-05" }, change: { case: "cancelled" } });
  expect(await codeOf(change())).toBe("CONTRACT_CANCELLED");
  expect(await codeOf(contracts.cancelContract({ id }, editor))).toBe("CONTRACT_CANCELLED");
  expect(await codeOf(contracts.cancelContract({ id, ifRevIn: [1] }, editor))).toBe("PRECONDITION_FAILED");
});

test("contracts of a disposed asset stay and new ones are made; of a deleted one none; foreign ones are NOT_FOUND", async () => {
  const { workspaceId, assetId, viewer, create } = await setUp();
  const { id } = await create();
  await publish(assetEvent(workspaceId, assetId, 2, { disposed: true }));
  const read = async () => requireFound((await contracts.getContract({ id }, viewer)).contract);
  await eventually(async () => expect((await read()).assetDisposed).toBe(true));
  expect((await read()).status).toBe(ACTIVE);
  expect((await create()).assetDisposed).toBe(true);
  await publish(assetEvent(workspaceId, assetId, 3, { deleted: true }));
  await eventually(async () => expect(await codeOf(create())).toBe("NOT_FOUND"));
  expect((await read()).rev).toBe(1);
  const stranger = await newWorkspace(maintenance);
  const calls = [
    contracts.getContract({ id }, stranger.viewer),
    contracts.cancelContract({ id }, stranger.editor),
    contracts.updateContract({ contract: { id } }, stranger.editor),
  ];
  expect(await Promise.all(calls.map(codeOf))).toEqual(["NOT_FOUND", "NOT_FOUND", "NOT_FOUND"]);
});
