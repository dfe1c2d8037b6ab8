import { invalid, parseInstant } from "@asset-register/runtime";
import { type Timestamp, timestampFromDate } from "@bufbuild/protobuf/wkt";

/**
 * An instant as RPCs take it.
 *
 * @throws AppError invalid naming `field`; a schema's format date-time has the same rule
 */
export function toTimestamp(text: string, field: string): Timestamp {
  const instant = parseInstant(text);
  if (instant === undefined) throw invalid([{ field, message: "must be an instant with a time zone" }]);
  return timestampFromDate(instant);
}
