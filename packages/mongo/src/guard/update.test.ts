import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Refuse, TenantGuardError } from "./tenant-guard-error.ts";
import { tenantUpdate } from "./update.ts";

const refuse: Refuse = (reason) => {
  throw new TenantGuardError("things", "updateOne", reason);
};
const update = (value: unknown) => tenantUpdate(value, "w1", refuse);

describe("the guard of updates", () => {
  it.each([
    ["sets other fields", { $set: { name: "a" }, $inc: { rev: 1 }, $unset: { old: "" } }],
    ["sets workspaceId to the same value", { $set: { workspaceId: "w1" }, $setOnInsert: { a: 1 } }],
    ["sets workspaceId for an upsert", { $setOnInsert: { workspaceId: "w1" } }],
    ["is a pipeline that sets other fields", [{ $set: { name: "$other" } }, { $unset: ["old", "older"] }]],
    ["sets workspaceId in a pipeline to the same value", [{ $addFields: { workspaceId: "w1" } }]],
    [
      "replaces the document and then sets workspaceId again",
      [{ $replaceWith: { a: 1 } }, { $set: { workspaceId: "w1" } }],
    ],
    ["sets a field whose name has the same prefix", { $set: { workspaceIdent: "x" } }],
  ])("an update is allowed if it %s", (_name, value) => {
    expect(update(value)).toEqual(value);
  });

  it.each([
    ["sets another workspaceId", { $set: { workspaceId: "w2" } }],
    ["sets workspaceId to an expression", { $set: { workspaceId: { $concat: ["w", "2"] } } }],
    ["sets a part of workspaceId", { $set: { "workspaceId.x": 1 } }],
    ["sets another workspaceId on insert", { $setOnInsert: { workspaceId: "w2" } }],
    ["unsets workspaceId", { $unset: { workspaceId: "" } }],
    ["renames workspaceId", { $rename: { workspaceId: "x" } }],
    ["renames another field to workspaceId", { $rename: { x: "workspaceId" } }],
    ["renames to a name that is not a string", { $rename: { x: { y: 1 } } }],
    ["has $min of workspaceId", { $min: { workspaceId: "a" } }],
    ["has $push to workspaceId", { $push: { workspaceId: "w2" } }],
    ["has $currentDate of workspaceId", { $currentDate: { workspaceId: true } }],
    ["is a replacement", { name: "a", workspaceId: "w1" }],
    ["mixes operators and fields", { $set: { a: 1 }, workspaceId: "w1" }],
    ["has an operator without an object", { $set: "workspaceId" }],
    ["has toBSON", { $set: { toBSON: () => ({ workspaceId: "w2" }) } }],
    ["is undefined", undefined],
    ["is a string", "$set"],
    ["sets another workspaceId in a pipeline", [{ $set: { workspaceId: "w2" } }]],
    ["sets workspaceId from a field in a pipeline", [{ $set: { workspaceId: "$other" } }]],
    ["unsets workspaceId in a pipeline", [{ $unset: "workspaceId" }]],
    ["unsets workspaceId and another field in a pipeline", [{ $unset: ["a", "workspaceId"] }]],
    ["has $project without workspaceId", [{ $project: { name: 1 } }]],
    ["replaces the document in a pipeline", [{ $replaceWith: "$other" }]],
    [
      "replaces the document after it sets workspaceId",
      [{ $set: { workspaceId: "w1" } }, { $replaceRoot: { newRoot: "$x" } }],
    ],
    ["has a stage that is not for updates", [{ $match: {} }]],
    ["has two operators in a stage", [{ $set: { a: 1 }, $unset: "workspaceId" }]],
    ["has a stage that is not an object", ["$set"]],
  ])("an update is refused if it %s", (_name, value) => {
    expect(() => update(value)).toThrow(TenantGuardError);
  });

  it("an update with any operator on workspaceId and another value is refused", () => {
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
