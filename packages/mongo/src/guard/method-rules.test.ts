import fc from "fast-check";
import mongoose from "mongoose";
import { describe, expect, it } from "vitest";
import { isPlainRecord, isWorkspaceId } from "./filter.ts";
import { checkCall, guardedMethods, ruleOf } from "./method-rules.ts";
import { type Refuse, TenantGuardError } from "./tenant-guard-error.ts";

const refuse: Refuse = (reason) => {
  throw new TenantGuardError("things", "method", reason);
};

function check(method: string, ...args: unknown[]) {
  return checkCall(ruleOf(method)!, args, refuse).args;
}

const w1 = { workspaceId: "w1" };
const set = { $set: { name: "a" } };

/** Each method that takes a filter: its arguments for the given filter. */
const filtered: Record<string, (filter: unknown) => unknown[]> = {
  find: (filter) => [filter],
  findOne: (filter) => [filter],
  findOneAndDelete: (filter) => [filter],
  findOneAndUpdate: (filter) => [filter, set],
  findOneAndReplace: (filter) => [filter, { ...w1, name: "a" }],
  updateOne: (filter) => [filter, set],
  updateMany: (filter) => [filter, set],
  replaceOne: (filter) => [filter, { ...w1, name: "a" }],
  deleteOne: (filter) => [filter],
  deleteMany: (filter) => [filter],
  countDocuments: (filter) => [filter],
  distinct: (filter) => ["name", filter],
  aggregate: (filter) => [[{ $match: filter }]],
};

/** The methods with a list of filters, or with a document instead. */
const others: Record<string, (value: unknown) => unknown[]> = {
  insertOne: (value) => [value],
  insertMany: (value) => [[{ ...w1, _id: "1" }, value]],
  bulkWrite: (value) => [[{ deleteOne: { filter: w1 } }, { updateOne: { filter: value, update: set } }]],
};

const calls = Object.entries({ ...filtered, ...others });

const improper: [string, unknown][] = [
  ["no filter", undefined],
  ["null", null],
  ["an empty filter", {}],
  ["another field only", { _id: "1" }],
  ["a list", [w1]],
  ["a Map", new Map([["workspaceId", "w1"]])],
  ["an ObjectId", new mongoose.Types.ObjectId()],
  ["a toBSON that sends other content", { ...w1, toBSON: () => ({}) }],
  ["workspaceId only inside $and", { $and: [w1] }],
  ["workspaceId only inside $or", { $or: [w1] }],
  ["workspaceId only inside $expr", { $expr: { $eq: ["$workspaceId", "w1"] } }],
  ["an empty workspaceId", { workspaceId: "" }],
  ["the path of a field as workspaceId", { workspaceId: "$other" }],
  ["null as workspaceId", { workspaceId: null }],
  ["undefined as workspaceId", { workspaceId: undefined }],
  ["a number as workspaceId", { workspaceId: 1 }],
  ["a String object as workspaceId", { workspaceId: new String("w1") }],
  ["a regular expression as workspaceId", { workspaceId: /w1/ }],
  ["$eq", { workspaceId: { $eq: "w1" } }],
  ["$in", { workspaceId: { $in: ["w1"] } }],
  ["$ne", { workspaceId: { $ne: "w1" } }],
  ["$exists", { workspaceId: { $exists: true } }],
  ["a list as workspaceId", { workspaceId: ["w1"] }],
  ["a workspaceId that is inherited from a prototype", Object.create(w1)],
  ["a workspaceId that is not enumerable", Object.defineProperty({}, "workspaceId", { value: "w1" })],
];

describe("methods of a guarded collection", () => {
  it("these tests cover every method that has a rule", () => {
    expect(new Set(calls.map(([method]) => method))).toEqual(guardedMethods);
  });

  it.each(calls)("%s is allowed with a plain workspaceId", (method, args) => {
    expect(() => check(method, ...args({ workspaceId: "w1", _id: "1" }))).not.toThrow();
  });

  for (const [method, args] of calls) {
    it.each(improper)(`${method} is refused with %s`, (_name, filter) => {
      expect(() => check(method, ...args(filter))).toThrow(TenantGuardError);
    });
  }

  it.each(calls)("%s is refused for any filter without a top-level string workspaceId", (method, args) => {
    const key = fc.constantFrom("_id", "name", "$and", "$or", "$expr", "workspaceId.x", "WorkspaceId", "a");
    const wrong = fc.oneof(
      fc.constantFrom("", null, undefined, 0, true, "$x"),
      fc.object(),
      fc.array(fc.string()),
      fc.date(),
    );
    const filter = fc
      .tuple(fc.dictionary(key, fc.anything()), fc.option(fc.record({ workspaceId: wrong }), { nil: {} }))
      .map(([rest, workspace]) => ({ ...rest, ...workspace }));
    fc.assert(
      fc.property(fc.oneof(filter, fc.anything()), (candidate) => {
        fc.pre(!(isPlainRecord(candidate) && isWorkspaceId(candidate.workspaceId)));
        expect(() => check(method, ...args(candidate))).toThrow(TenantGuardError);
      }),
      { numRuns: 200 },
    );
  });

  it.each(calls)("%s is refused with a collation under which different strings are equal", (method, args) => {
    const rule = ruleOf(method)!;
    const call = args({ workspaceId: "w1" });
    call[rule.options] = { collation: { locale: "en", strength: 1 } };
    expect(() => check(method, ...call)).toThrow(/collation/);
  });

  it("the driver gets a copy of the filter, so that a change after the check has no effect", () => {
    const filter = { workspaceId: "w1" };
    const [sent] = check("find", filter);
    filter.workspaceId = "w2";
    expect(sent).toEqual({ workspaceId: "w1" });
  });

  // A change stream would cost every write of the server.
  it.each([
    "watch",
    "estimatedDocumentCount",
    "count",
    "drop",
    "rename",
    "initializeOrderedBulkOp",
    "constructor",
  ])("%s has no rule and is refused", (name) => expect(ruleOf(name)).toBeUndefined());
});

describe("replacements and bulk writes", () => {
  it.each(["replaceOne", "findOneAndReplace"])(
    "%s must not move a document to another workspace",
    (method) => {
      expect(() => check(method, w1, { workspaceId: "w2" })).toThrow(/another workspaceId/);
      expect(() => check(method, w1, { name: "without" })).toThrow(TenantGuardError);
    },
  );

  it.each([
    ["insertOne without a document", { insertOne: { workspaceId: "w1" } }],
    ["insertOne without a workspace", { insertOne: { document: { name: "a" } } }],
    ["updateMany without a workspace", { updateMany: { filter: {}, update: set } }],
    [
      "updateOne that moves a document",
      { updateOne: { filter: w1, update: { $set: { workspaceId: "w2" } } } },
    ],
    ["replaceOne without a workspace", { replaceOne: { filter: {}, replacement: w1 } }],
    ["replaceOne that moves a document", { replaceOne: { filter: w1, replacement: { workspaceId: "w2" } } }],
    ["deleteOne without a workspace", { deleteOne: { filter: { _id: "1" } } }],
    ["deleteMany without a workspace", { deleteMany: { filter: {} } }],
    ["deleteMany with a collation", { deleteMany: { filter: w1, collation: { locale: "en", strength: 1 } } }],
    ["an unknown operation", { dropAll: { filter: w1 } }],
    ["two operations in one object", { deleteOne: { filter: w1 }, deleteMany: { filter: {} } }],
    ["the name of a prototype's property", { constructor: { filter: w1 } }],
    ["not an object", "deleteMany"],
  ])("bulkWrite is refused if one operation is %s", (_name, operation) => {
    expect(() => check("bulkWrite", [{ deleteOne: { filter: w1 } }, operation])).toThrow(TenantGuardError);
  });

  it("the error of a bulk write names the refused operation", () => {
    expect(() => check("bulkWrite", [{ deleteOne: { filter: {} } }])).toThrow(/operation 0 \(deleteOne\)/);
  });
});
