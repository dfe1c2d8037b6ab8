import type { OrganisationKind, OrganisationRecord } from "./organisation.ts";

/** A property, building, floor or location with what is on it. */
export type PlaceNode = {
  id: string;
  kind: OrganisationKind;
  name: string;
  code?: string | undefined;
  level?: number | undefined;
  /** Assets here and below. */
  assetCount: number;
  children: PlaceNode[];
};

/** How many assets name each record by its own field: `locationId` for a location. An asset names all levels above. */
export type AssetCounts = ReadonlyMap<string, number>;

/**
 * The places of a workspace as a tree: floors in order of level, all others in order of name. A location is below its
 * parent, else on its floor, else on its property. Roots are the properties, and the locations that are on none.
 */
export function placeTree(records: readonly OrganisationRecord[], counts: AssetCounts): PlaceNode[] {
  const nodes = new Map(
    records.map(({ id, kind, name, code, level }) => [
      id,
      { id, kind, name, code, level, assetCount: counts.get(id) ?? 0, children: [] } as PlaceNode,
    ]),
  );
  const roots: PlaceNode[] = [];
  for (const record of records) {
    const node = nodes.get(record.id);
    const parent = nodes.get(parentOf(record) ?? "");
    if (node) (parent?.children ?? roots).push(node);
  }
  for (const root of roots) finish(root);
  return roots.sort(inOrder);
}

function parentOf({
  kind,
  propertyId,
  buildingId,
  floorId,
  parentId,
}: OrganisationRecord): string | undefined {
  if (kind === "location") return parentId ?? floorId ?? propertyId;
  return kind === "floor" ? buildingId : kind === "building" ? propertyId : undefined;
}

/** Sorts the children, and adds the counts of nested locations: an asset names only the lowest of them. */
function finish(node: PlaceNode): number {
  let below = 0;
  for (const child of node.children) below += finish(child);
  node.children.sort(inOrder);
  if (node.kind === "location") node.assetCount += below;
  return node.assetCount;
}

const names = new Intl.Collator("en", { numeric: true });

function inOrder(one: PlaceNode, other: PlaceNode): number {
  return (
    (one.level ?? 0) - (other.level ?? 0) ||
    names.compare(one.name, other.name) ||
    (one.id < other.id ? -1 : 1)
  );
}
