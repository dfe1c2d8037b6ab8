import { eventually } from "@asset-register/harness";
import {
  DisposalMethod,
  HistoryAction,
  IssuedToType,
} from "@asset-register/proto/assetregister/register/v1/asset_pb";
import { newId } from "@asset-register/runtime";
import { caller, codeOf } from "@asset-register/service-harness";
import { expect, test } from "vitest";
import { historyOf, makeSighting, patchAsset, readAsset, statusIds } from "../asset-support.ts";
import { makeAsset, seedWorkspace, sharedRegister } from "../support.ts";

const register = await sharedRegister();
const home = await seedWorkspace(register);
const statuses = await statusIds(register, home);

const ROUNDS = 5;
const { CREATED, UPDATED, STATUS, DISPOSED, DELETED, CHECKED_OUT } = HistoryAction;
const read = (id: string) => readAsset(register, home, id);
const actionsOf = async (id: string) => (await historyOf(register, home, id)).map(({ action }) => action);
const dispose = (id: string) => register.assets.disposeAsset({ id, method: DisposalMethod.LOST }, home.admin);
const setStatus = (id: string, key: string) =>
  register.assets.changeStatus({ id, statusId: statuses[key] ?? "" }, home.admin);
const checkOut = (assetId: string) =>
  register.custody.createCheckout(
    { assetId, issuedToType: IssuedToType.EXTERNAL, issuedToName: "Acme" },
    home.admin,
  );
const remove = (id: string) => register.assets.deleteAsset({ id }, home.admin);

/** The events of an asset have the sequences 1 to `rev`, each once. */
const expectEvents = (id: string, rev: number) =>
  eventually(() => {
    const sequences = register.recorded.asset.of(id).map(({ sequence }) => sequence);
    expect(sequences).toEqual(Array.from({ length: rev }, (_, index) => index + 1));
  });

test("a status and a disposal at once: the asset is disposed of, and the status came before or was refused", async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const id = await makeAsset(register, home);
    const codes = await Promise.all([setStatus(id, "damaged"), dispose(id)].map(codeOf));
    expect(codes[1]).toBeUndefined();
    expect([undefined, "ASSET_DISPOSED"]).toContain(codes[0]);
    const asset = await read(id);
    expect(asset.statusId).toBe(statuses.disposed);
    const first = codes[0] === undefined ? [STATUS] : [];
    expect(await actionsOf(id)).toEqual([CREATED, ...first, DISPOSED, STATUS]);
    expect(asset.rev).toBe(2 + first.length);
    await expectEvents(id, asset.rev);
  }
});

test("disposals at once: one succeeds, the others get ASSET_DISPOSED", async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const id = await makeAsset(register, home);
    const codes = await Promise.all([dispose(id), dispose(id), dispose(id)].map(codeOf));
    expect(codes.toSorted()).toEqual(["ASSET_DISPOSED", "ASSET_DISPOSED", undefined]);
    expect(await actionsOf(id)).toEqual([CREATED, DISPOSED, STATUS]);
    await expectEvents(id, 2);
    await eventually(() => {
      const entries = register.auditEntries(home.id).filter(({ subjectId }) => subjectId === id);
      expect(entries).toHaveLength(1);
    });
  }
});

test("a checkout with a deletion or a disposal at once: exactly one of the two succeeds", async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const deleted = await makeAsset(register, home);
    const ended = await Promise.all([remove(deleted), checkOut(deleted)].map(codeOf));
    expect([
      [undefined, "NOT_FOUND"],
      ["ASSET_CHECKED_OUT", undefined],
    ]).toContainEqual(ended);
    expect(await actionsOf(deleted)).toEqual([CREATED, ended[0] === undefined ? DELETED : CHECKED_OUT]);
    const { checkouts } = await register.custody.listCheckouts({ assetId: deleted }, home.admin);
    expect(checkouts).toHaveLength(ended[0] === undefined ? 0 : 1);

    const disposed = await makeAsset(register, home);
    const outcome = await Promise.all([dispose(disposed), checkOut(disposed)].map(codeOf));
    expect([
      [undefined, "ASSET_DISPOSED"],
      ["ASSET_CHECKED_OUT", undefined],
    ]).toContainEqual(outcome);
    const { currentCheckout, disposed: disposal } = await read(disposed);
    expect([currentCheckout === undefined, disposal === undefined]).toEqual(
      outcome[0] === undefined ? [true, false] : [false, true],
    );
    await expectEvents(disposed, 2);
  }
});

test("deletions at once: one succeeds, the others get NOT_FOUND", async () => {
  const id = await makeAsset(register, home);
  const codes = await Promise.all([remove(id), remove(id), remove(id)].map(codeOf));
  expect(codes.toSorted()).toEqual(["NOT_FOUND", "NOT_FOUND", undefined]);
  expect(await actionsOf(id)).toEqual([CREATED, DELETED]);
  await expectEvents(id, 2);
});

test("changes with one revision at once: one succeeds; without a revision all do, and none is lost", async () => {
  const fields = [{ model: "M" }, { manufacturer: "B" }, { serialNumber: "S" }, { description: "D" }];
  const id = await makeAsset(register, home);
  const codes = await Promise.all(
    fields.map((each) => codeOf(patchAsset(register, home.admin, id, each, [1]))),
  );
  const failed = "PRECONDITION_FAILED";
  expect(codes.toSorted()).toEqual([failed, failed, failed, undefined]);
  expect(await read(id)).toMatchObject({ rev: 2, ...fields[codes.indexOf(undefined)] });

  await Promise.all(fields.map((each) => patchAsset(register, home.admin, id, each)));
  expect(await read(id)).toMatchObject({ rev: 5, ...Object.assign({}, ...fields) });
  expect(await actionsOf(id)).toEqual([CREATED, UPDATED, UPDATED, UPDATED, UPDATED]);
  await expectEvents(id, 5);
});

test("one number for several assets at once: one gets it, the others get ASSET_NUMBER_TAKEN", async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const ids = await Promise.all([1, 2, 3].map(() => makeAsset(register, home)));
    const taken = ["Race", "RACE", "race"].map((text) => `${text}-${round}`);
    const changes = ids.map((id, index) =>
      patchAsset(register, home.admin, id, { number: taken[index] ?? "" }),
    );
    const creation = register.assets.createAsset({ asset: { name: "Saw", number: taken[0] } }, home.admin);
    const codes = await Promise.all([...changes, creation].map(codeOf));
    const refused = "ASSET_NUMBER_TAKEN";
    expect(codes.toSorted()).toEqual([refused, refused, refused, undefined]);
    const { assets } = await register.assets.listAssets({ q: `race-${round}` }, home.admin);
    expect(assets).toHaveLength(1);
    const revs = await Promise.all(ids.map(async (id) => (await read(id)).rev));
    expect(revs).toEqual(codes.slice(0, 3).map((code) => (code === undefined ? 2 : 1)));
  }
});

test("the statuses of a new workspace, read many times at once: each answer has all of them", async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const reader = caller.user(newId("wsp"));
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => register.assets.listStatuses({}, reader)),
    );
    const counts = answers.map(({ statuses: found, page }) => [found.length, page?.total]);
    const all = Object.keys(statuses).length;
    expect(counts).toEqual(answers.map(() => [all, all]));
  }
});

test("a sighting between GET and PATCH with If-Match does not break the PATCH", async () => {
  const id = await makeAsset(register, home);
  const { rev } = await read(id);
  await makeSighting(register, home, id);
  const { asset } = await patchAsset(register, home.admin, id, { model: "M" }, [rev]);
  expect(asset).toMatchObject({ rev: rev + 1, lastSeen: { readerId: "rdr_1" } });
});
