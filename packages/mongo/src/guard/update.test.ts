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
    ["says the same workspace again", { $set: { workspace_id: "w1" }, $setOnInsert: { a: 1 } }],
    ["names it for an upsert", { $setOnInsert: { workspace_id: "w1" } }],
    ["is a pipeline of $set", [{ $set: { name: "$other" } }, { $unset: ["old", "older"] }]],
    ["names it in a pipeline", [{ $addFields: { workspace_id: "w1" } }]],
    ["replaces and sets it again", [{ $replaceWith: { a: 1 } }, { $set: { workspace_id: "w1" } }]],
    ["has a field whose name only begins like it", { $set: { workspace_ident: "x" } }],
  ])("passes when it %s", (_name, value) => {
    expect(update(value)).toEqual(value);
  });

  it.each([
    ["sets another", { $set: { workspace_id: "w2" } }],
    ["sets an expression", { $set: { workspace_id: { $concat: ["w", "2"] } } }],
    ["sets a part of it", { $set: { "workspace_id.x": 1 } }],
    ["inserts another", { $setOnInsert: { workspace_id: "w2" } }],
    ["unsets it", { $unset: { workspace_id: "" } }],
    ["renames it away", { $rename: { workspace_id: "x" } }],
    ["renames another field to it", { $rename: { x: "workspace_id" } }],
    ["renames to something strange", { $rename: { x: { y: 1 } } }],
    ["takes the smaller one", { $min: { workspace_id: "a" } }],
    ["pushes to it", { $push: { workspace_id: "w2" } }],
    ["dates it", { $currentDate: { workspace_id: true } }],
    ["replaces instead of updating", { name: "a", workspace_id: "w1" }],
    ["mixes operators and fields", { $set: { a: 1 }, workspace_id: "w1" }],
    ["has an operator without an object", { $set: "workspace_id" }],
    ["hides behind toBSON", { $set: { toBSON: () => ({ workspace_id: "w2" }) } }],
    ["is nothing", undefined],
    ["is a text", "$set"],
    ["sets another in a pipeline", [{ $set: { workspace_id: "w2" } }]],
    ["sets it from a field in a pipeline", [{ $set: { workspace_id: "$other" } }]],
    ["unsets it in a pipeline", [{ $unset: "workspace_id" }]],
    ["unsets it among others", [{ $unset: ["a", "workspace_id"] }]],
    ["projects it away", [{ $project: { name: 1 } }]],
    ["replaces the whole document", [{ $replaceWith: "$other" }]],
    ["replaces after setting it", [{ $set: { workspace_id: "w1" } }, { $replaceRoot: { newRoot: "$x" } }]],
    ["has another stage", [{ $match: {} }]],
    ["has two operators in a stage", [{ $set: { a: 1 }, $unset: "workspace_id" }]],
    ["has a stage that is no object", ["$set"]],
  ])("is refused when it %s", (_name, value) => {
    expect(() => update(value)).toThrow(TenantGuardError);
  });

  it("never passes an operator on workspace_id with another value", () => {
    const operator = fc.constantFrom("$set", "$setOnInsert", "$unset", "$inc", "$max", "$rename", "$push");
    const path = fc.constantFrom("workspace_id", "workspace_id.a", "workspace_id.0");
    fc.assert(
      fc.property(operator, path, fc.anything(), fc.object(), (name, field, value, beside) => {
        fc.pre(value !== "w1");
        expect(() => update({ $set: beside, [name]: { a: 1, [field]: value } })).toThrow(TenantGuardError);
      }),
    );
  });
});
