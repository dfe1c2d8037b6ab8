import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Refuse, TenantGuardError } from "./tenant-guard-error.ts";
import { tenantUpdate } from "./update.ts";

const refuse: Refuse = (reason) => {
  throw new TenantGuardError("things", "updateOne", reason);
};
const update = (value: unknown) => tenantUpdate(value, "w1", refuse);

describe("an update keeps a document in its workspace", () => {
  it.each([
    ["sets other fields", { $set: { name: "a" }, $inc: { rev: 1 }, $unset: { old: "" } }],
    ["says the same workspace again", { $set: { workspaceId: "w1" }, $setOnInsert: { a: 1 } }],
    ["names it for an upsert", { $setOnInsert: { workspaceId: "w1" } }],
    ["is a pipeline of $set", [{ $set: { name: "$other" } }, { $unset: ["old", "older"] }]],
    ["names it in a pipeline", [{ $addFields: { workspaceId: "w1" } }]],
    ["replaces and sets it again", [{ $replaceWith: { a: 1 } }, { $set: { workspaceId: "w1" } }]],
    ["has a field whose name only begins like it", { $set: { workspace_ident: "x" } }],
  ])("passes when it %s", (_name, value) => {
    expect(update(value)).toEqual(value);
  });

  it.each([
    ["sets another", { $set: { workspaceId: "w2" } }],
    ["sets an expression", { $set: { workspaceId: { $concat: ["w", "2"] } } }],
    ["sets a part of it", { $set: { "workspaceId.x": 1 } }],
    ["inserts another", { $setOnInsert: { workspaceId: "w2" } }],
    ["unsets it", { $unset: { workspaceId: "" } }],
    ["renames it away", { $rename: { workspaceId: "x" } }],
    ["renames another field to it", { $rename: { x: "workspaceId" } }],
    ["renames to something strange", { $rename: { x: { y: 1 } } }],
    ["takes the smaller one", { $min: { workspaceId: "a" } }],
    ["pushes to it", { $push: { workspaceId: "w2" } }],
    ["dates it", { $currentDate: { workspaceId: true } }],
    ["replaces instead of updating", { name: "a", workspaceId: "w1" }],
    ["mixes operators and fields", { $set: { a: 1 }, workspaceId: "w1" }],
    ["has an operator without an object", { $set: "workspaceId" }],
    ["hides behind toBSON", { $set: { toBSON: () => ({ workspaceId: "w2" }) } }],
    ["is nothing", undefined],
    ["is a text", "$set"],
    ["sets another in a pipeline", [{ $set: { workspaceId: "w2" } }]],
    ["sets it from a field in a pipeline", [{ $set: { workspaceId: "$other" } }]],
    ["unsets it in a pipeline", [{ $unset: "workspaceId" }]],
    ["unsets it among others", [{ $unset: ["a", "workspaceId"] }]],
    ["projects it away", [{ $project: { name: 1 } }]],
    ["replaces the whole document", [{ $replaceWith: "$other" }]],
    ["replaces after setting it", [{ $set: { workspaceId: "w1" } }, { $replaceRoot: { newRoot: "$x" } }]],
    ["has another stage", [{ $match: {} }]],
    ["has two operators in a stage", [{ $set: { a: 1 }, $unset: "workspaceId" }]],
    ["has a stage that is no object", ["$set"]],
  ])("is refused when it %s", (_name, value) => {
    expect(() => update(value)).toThrow(TenantGuardError);
  });

  it("never passes an operator on workspaceId with another value", () => {
    const operator = fc.constantFrom("$set", "$setOnInsert", "$unset", "$inc", "$max", "$rename", "$push");
    const path = fc.constantFrom("workspaceId", "workspaceId.a", "workspaceId.0");
    fc.assert(
      fc.property(operator, path, fc.anything(), fc.object(), (name, field, value, beside) => {
        fc.pre(value !== "w1");
        expect(() => update({ $set: beside, [name]: { a: 1, [field]: value } })).toThrow(TenantGuardError);
      }),
    );
  });
});
