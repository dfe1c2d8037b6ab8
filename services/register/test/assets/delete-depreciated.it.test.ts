import { FinanceDirectoryService } from "@asset-register/proto/assetregister/finance/v1/finance_directory_pb";
import { newId } from "@asset-register/runtime";
import { codeOf, serving } from "@asset-register/service-harness";
import { afterAll, expect, test } from "vitest";
import { makeAsset, seedWorkspace, startRegister } from "../support.ts";

const posted = new Set<string>();
const register = await startRegister({
  finance: [
    serving(FinanceDirectoryService, {
      hasPostedDepreciation: ({ assetId }) => ({ hasPosted: posted.has(assetId) }),
    }),
  ],
});
afterAll(() => register.stop());

test("a deletion asks finance: posted in either book 409, an opening does not count, unavailable 503", async () => {
  const home = await seedWorkspace(register);
  const [charged, opened, last] = [
    await makeAsset(register, home),
    await makeAsset(register, home),
    await makeAsset(register, home),
  ];
  const remove = (id: string, ifRevIn: number[] = []) =>
    codeOf(register.assets.deleteAsset({ id, ifRevIn }, home.admin));
  posted.add(charged);
  await register.mongo
    .collection("assets")
    .updateOne({ _id: opened, workspaceId: home.id }, { $set: { accumulatedDepreciation: 1 } });
  expect(await remove(charged)).toBe("ASSET_HAS_DEPRECIATION");
  expect(await remove(opened)).toBeUndefined();
  await register.stopFake("finance");
  expect(await remove(last)).toBe("UNAVAILABLE");
  expect(await remove(newId("ast"))).toBe("NOT_FOUND");
  expect(await remove(last, [9])).toBe("PRECONDITION_FAILED");
  expect(await codeOf(register.assets.getAsset({ id: last }, home.admin))).toBeUndefined();
});
