import fc from "fast-check";
import mongoose from "mongoose";
import { describe, expect, it } from "vitest";
import { isPlainRecord, isWorkspaceId } from "./filter.ts";
import { checkCall, formNames, formOf } from "./forms.ts";
import { type Refuse, TenantGuardError } from "./tenant-guard-error.ts";

const refuse: Refuse = (reason) => {
  throw new TenantGuardError("things", "form", reason);
};

function check(form: string, ...args: unknown[]) {
  return checkCall(formOf(form)!, args, refuse).args;
}

const w1 = { workspaceId: "w1" };
const set = { $set: { name: "a" } };

/** Each form that takes a filter, as a call with the filter given. */
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

/** Those that hold the filter deeper, or a document instead. */
const others: Record<string, (value: unknown) => unknown[]> = {
  watch: (value) => [[{ $match: asChange(value) }]],
  insertOne: (value) => [value],
  insertMany: (value) => [[{ ...w1, _id: "1" }, value]],
  bulkWrite: (value) => [[{ deleteOne: { filter: w1 } }, { updateOne: { filter: value, update: set } }]],
};

/** A change stream's filter names the fields of the document behind a prefix. */
function asChange(filter: unknown): unknown {
  if (!isPlainRecord(filter) && !hasToBson(filter)) return filter;
  const rename = (key: string) => (key === "workspaceId" ? "fullDocument.workspaceId" : key);
  return Object.fromEntries(Object.entries(filter).map(([key, value]) => [rename(key), value]));
}

const hasToBson = (value: unknown): value is object =>
  typeof value === "object" && value !== null && Object.hasOwn(value, "toBSON");

const calls = Object.entries({ ...filtered, ...others });

const improper: [string, unknown][] = [
  ["nothing", undefined],
  ["null", null],
  ["an empty filter", {}],
  ["another field only", { _id: "1" }],
  ["a list", [w1]],
  ["a Map", new Map([["workspaceId", "w1"]])],
  ["an ObjectId", new mongoose.Types.ObjectId()],
  ["a toBSON that sends something else", { ...w1, toBSON: () => ({}) }],
  ["only inside $and", { $and: [w1] }],
  ["only inside $or", { $or: [w1] }],
  ["only inside $expr", { $expr: { $eq: ["$workspaceId", "w1"] } }],
  ["an empty string", { workspaceId: "" }],
  ["a field's path", { workspaceId: "$other" }],
  ["null as value", { workspaceId: null }],
  ["undefined as value", { workspaceId: undefined }],
  ["a number", { workspaceId: 1 }],
  ["a String object", { workspaceId: new String("w1") }],
  ["a regular expression", { workspaceId: /w1/ }],
  ["$eq", { workspaceId: { $eq: "w1" } }],
  ["$in", { workspaceId: { $in: ["w1"] } }],
  ["$ne", { workspaceId: { $ne: "w1" } }],
  ["$exists", { workspaceId: { $exists: true } }],
  ["a list as value", { workspaceId: ["w1"] }],
  ["inherited from a prototype", Object.create(w1)],
  ["not enumerable", Object.defineProperty({}, "workspaceId", { value: "w1" })],
];

describe("each form of a query", () => {
  it("is named in these tests, so that a new one can't be added without them", () => {
    expect(new Set(calls.map(([form]) => form))).toEqual(formNames);
  });

  it.each(calls)("%s passes with a plain workspaceId", (form, args) => {
    expect(() => check(form, ...args({ workspaceId: "w1", _id: "1" }))).not.toThrow();
  });

  for (const [form, args] of calls) {
    it.each(improper)(`${form} is refused with %s`, (_name, filter) => {
      expect(() => check(form, ...args(filter))).toThrow(TenantGuardError);
    });
  }

  it.each(calls)("%s is refused for any filter without a top-level string workspaceId", (form, args) => {
    const key = fc.constantFrom("_id", "name", "$and", "$or", "$expr", "workspaceId.x", "Workspace_id", "a");
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
        expect(() => check(form, ...args(candidate))).toThrow(TenantGuardError);
      }),
      { numRuns: 200 },
    );
  });

  it.each(calls)("%s is refused with a collation under which other strings are equal", (form, args) => {
    const rule = formOf(form)!;
    const call = args({ workspaceId: "w1" });
    call[rule.options] = { collation: { locale: "en", strength: 1 } };
    expect(() => check(form, ...call)).toThrow(/collation/);
  });

  it("sends a copy of the filter, which nobody can change after the check", () => {
    const filter = { workspaceId: "w1" };
    const [sent] = check("find", filter);
    filter.workspaceId = "w2";
    expect(sent).toEqual({ workspaceId: "w1" });
  });

  it.each(["estimatedDocumentCount", "count", "drop", "rename", "initializeOrderedBulkOp", "constructor"])(
    "%s has no rule and so is refused",
    (name) => expect(formOf(name)).toBeUndefined(),
  );
});

describe("replacements and bulk writes", () => {
  it.each(["replaceOne", "findOneAndReplace"])("%s may not move a document elsewhere", (form) => {
    expect(() => check(form, w1, { workspaceId: "w2" })).toThrow(/another workspaceId/);
    expect(() => check(form, w1, { name: "without" })).toThrow(TenantGuardError);
  });

  it.each([
    ["insertOne without a document", { insertOne: { workspaceId: "w1" } }],
    ["insertOne elsewhere", { insertOne: { document: { name: "a" } } }],
    ["updateMany", { updateMany: { filter: {}, update: set } }],
    ["updateOne that moves", { updateOne: { filter: w1, update: { $set: { workspaceId: "w2" } } } }],
    ["replaceOne", { replaceOne: { filter: {}, replacement: w1 } }],
    ["replaceOne that moves", { replaceOne: { filter: w1, replacement: { workspaceId: "w2" } } }],
    ["deleteOne", { deleteOne: { filter: { _id: "1" } } }],
    ["deleteMany", { deleteMany: { filter: {} } }],
    ["a collation", { deleteMany: { filter: w1, collation: { locale: "en", strength: 1 } } }],
    ["a form of its own", { dropAll: { filter: w1 } }],
    ["two forms at once", { deleteOne: { filter: w1 }, deleteMany: { filter: {} } }],
    ["a prototype's name", { constructor: { filter: w1 } }],
    ["no object", "deleteMany"],
  ])("bulkWrite is refused when one operation is %s", (_name, operation) => {
    expect(() => check("bulkWrite", [{ deleteOne: { filter: w1 } }, operation])).toThrow(TenantGuardError);
  });

  it("names the operation of a bulk write that broke the rule", () => {
    expect(() => check("bulkWrite", [{ deleteOne: { filter: {} } }])).toThrow(/operation 0 \(deleteOne\)/);
  });
});
