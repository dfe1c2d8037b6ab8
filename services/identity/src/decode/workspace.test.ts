import { UpdateWorkspaceRequestSchema } from "@asset-register/proto/assetregister/identity/v1/workspace_pb";
import { create } from "@bufbuild/protobuf";
import { expect, test } from "vitest";
import { decodeCreateWorkspace, decodeUpdateWorkspace } from "./workspace.ts";

const acme = {
  name: " Acme ",
  plan: "business",
  timeZone: "Europe/Berlin",
  currency: "EUR",
  numberPrefix: "AST-",
  fiscalYearStart: 1,
  adminEmail: " ada@example.com",
  adminName: "Ada ",
  adminPassword: " a password with space around ",
};
const violationsOf = (...fields: string[]) =>
  expect.objectContaining({ violations: fields.map((field) => expect.objectContaining({ field })) });

test("a new workspace has trimmed names, and a password as it was entered", () => {
  expect(decodeCreateWorkspace(acme)).toEqual({
    ...acme,
    name: "Acme",
    adminEmail: "ada@example.com",
    adminName: "Ada",
  });
});

test("a new workspace is refused with the names of all wrong fields", () => {
  const wrong = {
    name: " ",
    plan: "gold",
    timeZone: "+02:00",
    currency: "EURO",
    numberPrefix: "",
    fiscalYearStart: 13,
    adminEmail: "nobody",
    adminName: "",
    adminPassword: "short",
  };
  expect(() => decodeCreateWorkspace(wrong)).toThrow(
    violationsOf(
      "name",
      "time_zone",
      "number_prefix",
      "fiscal_year_start",
      "plan",
      "currency",
      "admin_email",
      "admin_name",
      "admin_password",
    ),
  );
});

test("a change is refused with the name of the wrong field", () => {
  const change = create(UpdateWorkspaceRequestSchema, { fiscalYearStart: 0 });
  expect(() => decodeUpdateWorkspace(change)).toThrow(violationsOf("fiscal_year_start"));
  expect(decodeUpdateWorkspace(create(UpdateWorkspaceRequestSchema))).toEqual({ ifRevIn: [] });
});
