import { describe, expect, it } from "vitest";
import { tenantPipeline, tenantStage } from "./pipeline.ts";
import { type Refuse, TenantGuardError } from "./tenant-guard-error.ts";

const refuse: Refuse = (reason) => {
  throw new TenantGuardError("things", "aggregate", reason);
};
const match = { $match: { workspaceId: "w1" } };
const foreign = { $match: { workspaceId: "w2" } };
const join = { from: "others", localField: "a", foreignField: "b", as: "c" };
const walk = { from: "others", startWith: "$a", connectFromField: "a", connectToField: "b", as: "c" };

describe("the guard of aggregations", () => {
  it.each([
    ["begins with a $match of the workspace", [match, { $group: { _id: "$a" } }, { $sort: { _id: 1 } }]],
    ["has a $lookup within the workspace", [match, { $lookup: { ...join, pipeline: [match] } }]],
    ["has a $unionWith within the workspace", [match, { $unionWith: { coll: "others", pipeline: [match] } }]],
    [
      "has a $graphLookup within the workspace",
      [match, { $graphLookup: { ...walk, restrictSearchWithMatch: match.$match } }],
    ],
    [
      "has facets within the workspace",
      [match, { $facet: { a: [{ $count: "n" }], b: [{ $lookup: { ...join, pipeline: [match] } }] } }],
    ],
    [
      "begins with a $geoNear of the workspace",
      [{ $geoNear: { near: {}, distanceField: "d", query: match.$match } }],
    ],
  ])("an aggregation is allowed if it %s", (_name, pipeline) => {
    expect(tenantPipeline(pipeline, refuse)).toEqual({ pipeline, workspaceId: "w1" });
  });

  it.each([
    ["is empty", []],
    ["is not a list", match],
    ["begins with a $match of another field", [{ $match: { a: 1 } }]],
    ["has the $match in a later stage", [{ $group: { _id: "$workspaceId" } }, match]],
    ["matches the workspace by an operator", [{ $match: { workspaceId: { $in: ["w1"] } } }]],
    ["has two operators in its first stage", [{ ...match, $limit: 1 }]],
    ["has a $lookup without a pipeline", [match, { $lookup: join }]],
    ["has a $lookup with an empty pipeline", [match, { $lookup: { ...join, pipeline: [] } }]],
    ["has a $lookup of another workspace", [match, { $lookup: { ...join, pipeline: [foreign] } }]],
    [
      "has a $lookup of another database",
      [match, { $lookup: { ...join, from: { db: "x", coll: "y" }, pipeline: [match] } }],
    ],
    [
      "has an unguarded $lookup inside a $lookup",
      [match, { $lookup: { ...join, pipeline: [match, { $lookup: join }] } }],
    ],
    ["has a $unionWith of a whole collection", [match, { $unionWith: "others" }]],
    ["has a $unionWith without a pipeline", [match, { $unionWith: { coll: "others" } }]],
    [
      "has a $unionWith of another workspace",
      [match, { $unionWith: { coll: "others", pipeline: [foreign] } }],
    ],
    ["has a $graphLookup without a restriction", [match, { $graphLookup: walk }]],
    [
      "has a $graphLookup of another workspace",
      [match, { $graphLookup: { ...walk, restrictSearchWithMatch: foreign.$match } }],
    ],
    ["has an unguarded $lookup inside a facet", [match, { $facet: { a: [{ $lookup: join }] } }]],
    ["writes with $out", [match, { $out: "others" }]],
    ["writes with $merge", [match, { $merge: { into: "others" } }]],
    ["writes inside a $unionWith", [match, { $unionWith: { coll: "o", pipeline: [match, { $out: "x" }] } }]],
    ["reads statistics", [{ $collStats: { count: {} } }]],
    ["begins with $documents", [{ $documents: [] }]],
    ["begins with a $geoNear without a filter", [{ $geoNear: { near: {}, distanceField: "d" } }]],
    ["has an unknown stage", [match, { $somethingNew: {} }]],
    ["has the name of a prototype's property as stage", [match, { constructor: {} }]],
    ["has a stage with toBSON", [{ ...match, toBSON: () => ({}) }]],
  ])("an aggregation is refused if it %s", (_name, pipeline) => {
    expect(() => tenantPipeline(pipeline, refuse)).toThrow(TenantGuardError);
  });

  it("the error of a pipeline names the refused stage", () => {
    expect(() => tenantPipeline([match, { $lookup: join }], refuse)).toThrow(/\$lookup: needs a pipeline/);
  });

  it("stages that are added to a cursor are checked by the same rules", () => {
    expect(tenantStage({ $limit: 1 }, "w1", refuse)).toEqual({ $limit: 1 });
    expect(() => tenantStage({ $out: "x" }, "w1", refuse)).toThrow(TenantGuardError);
  });
});
