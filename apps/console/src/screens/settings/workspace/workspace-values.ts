import type { Schemas } from "../../../api/client.ts";

const names = ["name", "time_zone", "fiscal_year_start", "number_prefix", "require_mfa"] as const;

export type WorkspaceValues = Pick<Schemas["Workspace"], (typeof names)[number]>;

export const valuesOf = ({
  name,
  time_zone,
  fiscal_year_start,
  number_prefix,
  require_mfa,
}: WorkspaceValues): WorkspaceValues => ({
  name,
  time_zone,
  fiscal_year_start,
  number_prefix,
  require_mfa,
});

/** The fields that differ from `before`. */
export function changesOf(values: WorkspaceValues, before: WorkspaceValues): Partial<WorkspaceValues> {
  return Object.fromEntries(
    names.filter((name) => values[name] !== before[name]).map((name) => [name, values[name]]),
  );
}
