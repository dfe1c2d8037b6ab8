import type { Condition } from "./condition.ts";

/** The names of records, by their ids. */
export type Names = ReadonlyMap<string, string>;

/** "Drill (ast_1)"; the id alone while the name is unknown. */
export function nameOf(id: string, names: Names): string {
  const name = names.get(id);
  return name === undefined ? id : `${name} (${id})`;
}

/** The condition as people read it. */
export function conditionSentence(condition: Condition, names: Names): string {
  switch (condition.type) {
    case "seen_in_zone":
      return `seen in zone ${nameOf(condition.zoneId, names)}`;
    case "left_zone":
      return `left zone ${nameOf(condition.zoneId, names)}`;
    case "exit_portal_unauthorised":
      return `in exit zone ${nameOf(condition.zoneId, names)} without a check-out or a movement`;
    case "after_hours":
      return `seen outside of ${condition.openDays.join(", ")} ${condition.openFrom} to ${condition.openTo}`;
    case "unknown_tag":
      return "a tag was read that belongs to no asset";
    case "status_mismatch":
      return `seen with status ${condition.statusIds.map((id) => nameOf(id, names)).join(" or ")}`;
    case "not_seen_for":
      return `not seen for ${condition.hours} h`;
    case "reader_offline":
      return `reader not heard for ${condition.minutes} min`;
  }
}
