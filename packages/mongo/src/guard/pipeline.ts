import { isPlainRecord, type PlainRecord, sameTenantFilter, tenantFilter } from "./filter.ts";
import type { Refuse } from "./tenant-guard-error.ts";

/** Stages that process only the output of earlier stages. Stages that are not listed are refused. */
const localStages = new Set([
  "$match",
  "$project",
  "$addFields",
  "$set",
  "$unset",
  "$group",
  "$sort",
  "$limit",
  "$skip",
  "$unwind",
  "$count",
  "$sortByCount",
  "$replaceRoot",
  "$replaceWith",
  "$bucket",
  "$bucketAuto",
  "$sample",
  "$redact",
  "$setWindowFields",
  "$densify",
  "$fill",
]);

type Stage = { name: string; value: unknown };

/** Checks that an aggregation begins with the selection of one workspace, and that all its parts stay in it. */
export function tenantPipeline(
  value: unknown,
  refuse: Refuse,
): { pipeline: PlainRecord[]; workspaceId: string } {
  const [first, ...rest] = stagesOf(value, refuse);
  if (first?.name === "$match") {
    const { filter, workspaceId } = tenantFilter(first.value, refuse);
    return { pipeline: [{ $match: filter }, ...laterStages(rest, workspaceId, refuse)], workspaceId };
  }
  // $geoNear is only allowed as the first stage and has its own filter.
  if (first?.name === "$geoNear" && isPlainRecord(first.value)) {
    const { filter, workspaceId } = tenantFilter(first.value.query, refuse);
    const near = { $geoNear: { ...first.value, query: filter } };
    return { pipeline: [near, ...laterStages(rest, workspaceId, refuse)], workspaceId };
  }
  return refuse("the pipeline must begin with a $match of workspaceId");
}

/** Checks a stage after the one that selected the workspace. */
export function tenantStage(value: unknown, workspaceId: string, refuse: Refuse): PlainRecord {
  return laterStage(stageOf(value, refuse), workspaceId, refuse);
}

function stagesOf(value: unknown, refuse: Refuse): Stage[] {
  if (!Array.isArray(value)) return refuse("needs a pipeline");
  return value.map((stage: unknown) => stageOf(stage, refuse));
}

function stageOf(value: unknown, refuse: Refuse): Stage {
  const entries = isPlainRecord(value) ? Object.entries(value) : [];
  const [entry] = entries;
  if (entry === undefined || entries.length > 1)
    return refuse("each stage must be an object with one operator");
  return { name: entry[0], value: entry[1] };
}

const laterStages = (stages: Stage[], workspaceId: string, refuse: Refuse): PlainRecord[] =>
  stages.map((stage) => laterStage(stage, workspaceId, refuse));

function laterStage({ name, value }: Stage, workspaceId: string, refuse: Refuse): PlainRecord {
  if (localStages.has(name)) return { [name]: value };
  const check = readingStages[name];
  if (check === undefined || !Object.hasOwn(readingStages, name)) return refuse(`${name} is not allowed`);
  if (!isPlainRecord(value)) return refuse(`${name} must have its own filter on workspaceId`);
  return { [name]: check(value, workspaceId, refuse) };
}

type Check = (value: PlainRecord, workspaceId: string, refuse: Refuse) => PlainRecord;

/** Checks of the stages that read other documents, or contain pipelines that may read them. */
const readingStages: Readonly<Record<string, Check>> = {
  $facet: (value, workspaceId, refuse) =>
    Object.fromEntries(
      Object.entries(value).map(([name, part]) => [
        name,
        laterStages(stagesOf(part, refuse), workspaceId, refuse),
      ]),
    ),
  $lookup: (value, workspaceId, refuse) => {
    if (typeof value.from !== "string") return refuse("$lookup needs the name of a collection in from");
    return { ...value, pipeline: nested("$lookup", value.pipeline, workspaceId, refuse) };
  },
  $unionWith: (value, workspaceId, refuse) => {
    if (typeof value.coll !== "string") return refuse("$unionWith needs the name of a collection in coll");
    return { ...value, pipeline: nested("$unionWith", value.pipeline, workspaceId, refuse) };
  },
  $graphLookup: (value, workspaceId, refuse) => {
    if (typeof value.from !== "string") return refuse("$graphLookup needs the name of a collection in from");
    const refuseInside = within("$graphLookup.restrictSearchWithMatch", refuse);
    return {
      ...value,
      restrictSearchWithMatch: sameTenantFilter(value.restrictSearchWithMatch, workspaceId, refuseInside),
    };
  },
};

const within =
  (place: string, refuse: Refuse): Refuse =>
  (reason) =>
    refuse(`${place}: ${reason}`);

function nested(place: string, value: unknown, workspaceId: string, refuse: Refuse): PlainRecord[] {
  const refuseInside = within(place, refuse);
  const inner = tenantPipeline(value, refuseInside);
  if (inner.workspaceId !== workspaceId) return refuseInside("selects another workspaceId");
  return inner.pipeline;
}
