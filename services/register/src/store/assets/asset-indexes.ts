import type { Index } from "@asset-register/mongo";
import { type ScopeField, scopeFields } from "../../domain/organisation/scope.ts";

/** The name of the index of a kind of scope. */
export const scopeIndex = (field?: ScopeField): string => `scope_${field ?? "all"}`;

/** Scopes of other services, in order of id. The status at the end makes their totals covered. */
export const scopeIndexes: Index[] = [
  { name: scopeIndex(), key: { workspaceId: 1, live: 1, _id: 1, statusId: 1 } },
  ...Object.values(scopeFields).map(
    (field): Index => ({
      name: scopeIndex(field),
      key: { workspaceId: 1, live: 1, [field]: 1, _id: 1, statusId: 1 },
    }),
  ),
];

/** The name of the index of a report by this field. */
export const reportIndex = (field: string): string => `report_${field}`;

/** The amounts at the end make reports covered: they read no documents. */
export const reportIndexes = ["statusId", "locationId", "custodianId", "categoryId"].map(
  (field): Index => ({
    name: reportIndex(field),
    key: { workspaceId: 1, deleted: 1, live: 1, [field]: 1, cost: 1, nbv: 1, accumulatedDepreciation: 1 },
  }),
);
