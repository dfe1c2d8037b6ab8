import type { mongo } from "mongoose";
import { requireSimpleCollation, tenantFilter } from "./filter.ts";
import { tenantStage } from "./pipeline.ts";
import type { Refuse } from "./tenant-guard-error.ts";

type FindCursor = mongo.FindCursor<mongo.BSON.Document>;
type AggregationCursor = mongo.AggregationCursor<mongo.BSON.Document>;

/** Guards a find cursor, because its filter can be changed until it is opened. */
export function guardFindCursor(cursor: FindCursor, refuse: Refuse): FindCursor {
  const { filter, collation, clone } = cursor;
  cursor.filter = (value) => filter.call(cursor, tenantFilter(value, refuse).filter);
  cursor.collation = (value) => {
    requireSimpleCollation({ collation: value }, refuse);
    return collation.call(cursor, value);
  };
  cursor.addQueryModifier = () => refuse("query modifiers may replace the filter");
  cursor.clone = () => guardFindCursor(clone.call(cursor), refuse);
  return cursor;
}

/** Guards an aggregation cursor, because stages can be added until it is opened. All builder methods use addStage. */
export function guardAggregationCursor(
  cursor: AggregationCursor,
  workspaceId: string,
  refuse: Refuse,
): AggregationCursor {
  const { addStage, clone } = cursor;
  const guarded = (stage: unknown): AggregationCursor => {
    Reflect.apply(addStage, cursor, [tenantStage(stage, workspaceId, refuse)]);
    return cursor;
  };
  Object.defineProperty(cursor, "addStage", { value: guarded });
  cursor.clone = () => guardAggregationCursor(clone.call(cursor), workspaceId, refuse);
  return cursor;
}
