import { AssetDirectoryService } from "@asset-register/proto/assetregister/register/v1/asset_directory_pb";
import { DepreciationMethod } from "@asset-register/proto/assetregister/register/v1/asset_pb";
import { newId } from "@asset-register/runtime";
import { codeOf, failure } from "@asset-register/service-harness";
import { describe, expect, test } from "vitest";
import { copyAssets, forUser } from "../directory/directory-support.ts";
import { makeAsset, seedWorkspace, sharedRegister } from "../support.ts";

const register = await sharedRegister();
const home = await seedWorkspace(register);
const finance = register.client(AssetDirectoryService, "finance");

type Row = { _id: string; workspaceId: string } & Record<string, unknown>;

describe("ChangeFinanceFields", () => {
  const change = (assetId: string, fields: object = {}) =>
    finance.changeFinanceFields(
      {
        ...{ workspaceId: home.id, assetId, causeId: newId("prf"), usefulLifeMonths: 36 },
        ...{ cost: { minorUnits: 120_050n, currency: "EUR" }, inServiceDate: "2026-01-31" },
        ...{ depreciationMethod: DepreciationMethod.MACRS, ...fields },
      },
      forUser(home),
    );
  const updates = (assetId: string) =>
    register.mongo
      .collection<Row>("asset_history")
      .find({ workspaceId: home.id, assetId, action: "updated" })
      .toArray();

  test("writes one rev and one row of the history, once for its cause, also at once", async () => {
    const assetId = await makeAsset(register, home);
    const causeId = newId("prf");
    const answers = await Promise.all(Array.from({ length: 5 }, () => change(assetId, { causeId })));
    expect(answers.map(({ assetRev, changed }) => [assetRev, changed])).toEqual(Array(5).fill([2, true]));
    expect(await updates(assetId)).toMatchObject([
      { causeId, actor: { id: "usr_auditor" }, changes: [{ field: "cost", after: "1200.50" }, {}, {}, {}] },
    ]);
    expect(await change(assetId, { usefulLifeMonths: 48 })).toMatchObject({ assetRev: 3 });
    expect(await change(assetId, { causeId })).toMatchObject({ assetRev: 2 });
    const { asset } = await register.assets.getAsset({ id: assetId }, home.admin);
    expect(asset).toMatchObject({ usefulLifeMonths: 48, rev: 3, cost: { minorUnits: 120_050n } });
  });

  test("of equal values writes nothing; absent fields stay", async () => {
    const assetId = await makeAsset(register, home);
    await change(assetId);
    expect(await change(assetId)).toMatchObject({ assetRev: 2 });
    const partial = { cost: undefined, inServiceDate: undefined, usefulLifeMonths: undefined };
    expect(await change(assetId, partial)).toMatchObject({ assetRev: 2 });
    expect(await updates(assetId)).toHaveLength(1);
  });

  test("refuses another currency, a disposed asset and one of another workspace", async () => {
    const assetId = await makeAsset(register, home);
    const cost = { minorUnits: 1n, currency: "USD" };
    expect(await failure(change(assetId, { cost }))).toMatchObject({ violations: [{ field: "cost" }] });
    const theirs = await makeAsset(register, await seedWorkspace(register));
    expect(await codeOf(change(theirs))).toBe("NOT_FOUND");
    const disposed = {
      at: new Date(),
      date: "2026-01-01",
      method: "sold",
      by: { kind: "user", id: "usr_1" },
    };
    const [gone] = await copyAssets(register, home, assetId, [{ live: false, disposed }]);
    expect(await codeOf(change(gone!))).toBe("ASSET_DISPOSED");
  });
});
