import { describe, expect, it } from "vitest";
import { tenantChanges, tenantPipeline, tenantStage } from "./pipeline.ts";
import { type Refuse, TenantGuardError } from "./tenant-guard-error.ts";

const refuse: Refuse = (reason) => {
  throw new TenantGuardError("things", "aggregate", reason);
};
const match = { $match: { workspaceId: "w1" } };
const foreign = { $match: { workspaceId: "w2" } };
const join = { from: "others", localField: "a", foreignField: "b", as: "c" };
const walk = { from: "others", startWith: "$a", connectFromField: "a", connectToField: "b", as: "c" };

describe("an aggregation", () => {
  it.each([
    ["begins with the workspace", [match, { $group: { _id: "$a" } }, { $sort: { _id: 1 } }]],
    ["joins within the workspace", [match, { $lookup: { ...join, pipeline: [match] } }]],
    ["unites within the workspace", [match, { $unionWith: { coll: "others", pipeline: [match] } }]],
    [
      "walks within the workspace",
      [match, { $graphLookup: { ...walk, restrictSearchWithMatch: match.$match } }],
    ],
    [
      "has facets",
      [match, { $facet: { a: [{ $count: "n" }], b: [{ $lookup: { ...join, pipeline: [match] } }] } }],
    ],
    ["begins near a point", [{ $geoNear: { near: {}, distanceField: "d", query: match.$match } }]],
  ])("passes when it %s", (_name, pipeline) => {
    expect(tenantPipeline(pipeline, refuse)).toEqual({ pipeline, workspaceId: "w1" });
  });

  it.each([
    ["is empty", []],
    ["is not a list", match],
    ["matches something else", [{ $match: { a: 1 } }]],
    ["matches too late", [{ $group: { _id: "$workspaceId" } }, match]],
    ["matches by an operator", [{ $match: { workspaceId: { $in: ["w1"] } } }]],
    ["has two operators in its first stage", [{ ...match, $limit: 1 }]],
    ["joins without a pipeline", [match, { $lookup: join }]],
    ["joins with an empty pipeline", [match, { $lookup: { ...join, pipeline: [] } }]],
    ["joins another workspace", [match, { $lookup: { ...join, pipeline: [foreign] } }]],
    [
      "joins another database",
      [match, { $lookup: { ...join, from: { db: "x", coll: "y" }, pipeline: [match] } }],
    ],
    ["joins inside a join", [match, { $lookup: { ...join, pipeline: [match, { $lookup: join }] } }]],
    ["unites with a whole collection", [match, { $unionWith: "others" }]],
    ["unites without a pipeline", [match, { $unionWith: { coll: "others" } }]],
    ["unites with another workspace", [match, { $unionWith: { coll: "others", pipeline: [foreign] } }]],
    ["walks without a restriction", [match, { $graphLookup: walk }]],
    ["walks elsewhere", [match, { $graphLookup: { ...walk, restrictSearchWithMatch: foreign.$match } }]],
    ["joins inside a facet", [match, { $facet: { a: [{ $lookup: join }] } }]],
    ["writes to a collection", [match, { $out: "others" }]],
    ["merges into a collection", [match, { $merge: { into: "others" } }]],
    ["writes inside a union", [match, { $unionWith: { coll: "o", pipeline: [match, { $out: "x" }] } }]],
    ["reads statistics", [{ $collStats: { count: {} } }]],
    ["begins with documents of its own", [{ $documents: [] }]],
    ["is near a point without a filter", [{ $geoNear: { near: {}, distanceField: "d" } }]],
    ["has a stage that is not known", [match, { $somethingNew: {} }]],
    ["has a prototype's name as stage", [match, { constructor: {} }]],
    ["has a stage that hides behind toBSON", [{ ...match, toBSON: () => ({}) }]],
  ])("is refused when it %s", (_name, pipeline) => {
    expect(() => tenantPipeline(pipeline, refuse)).toThrow(TenantGuardError);
  });

  it("says where the part stands that broke the rule", () => {
    expect(() => tenantPipeline([match, { $lookup: join }], refuse)).toThrow(/\$lookup: needs a pipeline/);
  });

  it("holds stages that are added to a cursor to the same rule", () => {
    expect(tenantStage({ $limit: 1 }, "w1", refuse)).toEqual({ $limit: 1 });
    expect(() => tenantStage({ $out: "x" }, "w1", refuse)).toThrow(TenantGuardError);
  });
});

describe("a change stream", () => {
  const changes = { $match: { "fullDocument.workspaceId": "w1", operationType: "insert" } };

  it("passes when it begins with the workspace of the document", () => {
    expect(tenantChanges([changes, { $project: { a: 1 } }], refuse)).toEqual([
      changes,
      { $project: { a: 1 } },
    ]);
  });

  it.each([
    ["has no pipeline", undefined],
    ["is empty", []],
    ["matches something else", [{ $match: { operationType: "insert" } }]],
    ["matches by an operator", [{ $match: { "fullDocument.workspaceId": { $exists: true } } }]],
    ["reads elsewhere", [changes, { $lookup: { from: "x", pipeline: [match], as: "y" } }]],
  ])("is refused when it %s", (_name, pipeline) => {
    expect(() => tenantChanges(pipeline, refuse)).toThrow(TenantGuardError);
  });
});
