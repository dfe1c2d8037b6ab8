import type { ClientSession } from "@asset-register/mongo";
import type { Context } from "../../context.ts";
import type { OrganisationKind, OrganisationRecord } from "../../domain/organisation/organisation.ts";
import type { RecordReference } from "../../store/assets/assets.ts";

/** The references to a record. `field` names them in HTTP, `what` in a sentence. `count` is capped: "1000+". */
export type ReferenceCounts = { field: string; what: string; count: string }[];

const CAP = 1_000;

const references: Record<OrganisationKind, RecordReference> = {
  property: "propertyId",
  building: "buildingId",
  floor: "floorId",
  location: "locationId",
  category: "categoryId",
  custodian: "custodianId",
  department: "departmentId",
};

/** Counts the references to a record in this service, without deleted records and disposed assets. */
export async function countReferences(
  { stores }: Context,
  record: OrganisationRecord,
  session: ClientSession,
): Promise<ReferenceCounts> {
  const { workspaceId, id, kind } = record;
  const limit = CAP + 1;
  // One after the other: a session runs one operation at a time.
  const { records, custodians } = await stores.organisation.countReferences(record, limit, session);
  const options = { limit, inUse: true, session };
  const assets = await stores.assets.countReferring(workspaceId, references[kind], [id], options);
  const checkouts = await stores.checkouts.countOpen(workspaceId, id, limit, session);
  const fields =
    kind === "category" ? await stores.customFields.countOfCategory(workspaceId, id, session) : 0;
  const counted = [
    { field: "records", what: "records below", count: records },
    { field: "custodians", what: "custodians", count: custodians },
    { field: "custom_fields", what: "custom fields", count: fields },
    { field: "assets", what: "assets", count: assets },
    { field: "checkouts", what: "open checkouts", count: checkouts },
  ];
  return counted
    .filter(({ count }) => count > 0)
    .map(({ count, ...named }) => ({ ...named, count: count > CAP ? `${CAP}+` : String(count) }));
}
