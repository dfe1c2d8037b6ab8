import { NameService } from "@asset-register/proto/assetregister/register/v1/name_pb";
import { OrganisationKind } from "@asset-register/proto/assetregister/register/v1/organisation_pb";
import { caller, codeOf } from "@asset-register/service-harness";
import { describe, expect, test } from "vitest";
import { makeAsset, makeRecord, seedWorkspace, sharedRegister } from "../support.ts";

const register = await sharedRegister();
const home = await seedWorkspace(register);
const names = register.client(NameService);

/** An asset, its status, a custodian and a location. */
async function records() {
  const custodian = { kind: OrganisationKind.CUSTODIAN, name: "Ada Lovelace", email: "ada@example.com" };
  const property = await makeRecord(register, home, { kind: OrganisationKind.PROPERTY, name: "Works" });
  const place = { kind: OrganisationKind.LOCATION, name: "Room 1", propertyId: property };
  const [custodianId, locationId] = [
    await makeRecord(register, home, custodian),
    await makeRecord(register, home, place),
  ];
  const assetId = await makeAsset(register, home, { name: "Drill" });
  const { asset } = await register.assets.getAsset({ id: assetId }, home.admin);
  return { custodianId, locationId, assetId, statusId: asset?.statusId ?? "", number: asset?.number ?? "" };
}

describe("ResolveNames", () => {
  test("has the names of all kinds of records for every user of the workspace, and no email address", async () => {
    const { custodianId, locationId, assetId, statusId, number } = await records();
    const ids = [custodianId, locationId, assetId, statusId, assetId, "ast_none", "cus_none", "x"];
    const answer = await names.resolveNames({ ids }, home.user());
    const found = Object.fromEntries(answer.records.map(({ id, name, number: of }) => [id, { name, of }]));
    expect(found).toEqual({
      [custodianId]: { name: "Ada Lovelace", of: undefined },
      [locationId]: { name: "Room 1", of: undefined },
      [assetId]: { name: "Drill", of: number },
      [statusId]: { name: "In stock", of: undefined },
    });
    expect(JSON.stringify(answer.records)).not.toContain("@");
  });

  test("deleted records have names too", async () => {
    const { custodianId, assetId } = await records();
    await register.organisation.deleteRecord(
      { kind: OrganisationKind.CUSTODIAN, id: custodianId },
      home.admin,
    );
    await register.assets.deleteAsset({ id: assetId }, home.admin);
    const answer = await names.resolveNames({ ids: [custodianId, assetId] }, home.user("view"));
    expect(answer.records.map(({ name }) => name).sort()).toEqual(["Ada Lovelace", "Drill"]);
  });

  test("ids of another workspace are left out", async () => {
    const { custodianId, locationId, assetId, statusId } = await records();
    const ids = [custodianId, locationId, assetId, statusId];
    const stranger = await seedWorkspace(register);
    expect((await names.resolveNames({ ids }, stranger.admin)).records).toEqual([]);
  });

  test("more than 1000 ids are refused, and so is a caller who is not signed in", async () => {
    const many = { ids: Array.from({ length: 1001 }, (_, index) => `ast_${index}`) };
    expect(await codeOf(names.resolveNames(many, home.admin))).toBe("VALIDATION_FAILED");
    const anonymous = { principal: { kind: "anonymous" } } as const;
    expect(await codeOf(names.resolveNames({ ids: [] }, anonymous))).toBe("UNAUTHENTICATED");
    expect((await names.resolveNames({ ids: [] }, caller.user(home.id))).records).toEqual([]);
  });
});
