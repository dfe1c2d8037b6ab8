type Group = { name: string; description: string; segments: string[] };

const group = (name: string, description: string, segments: string): Group => ({
  name,
  description,
  segments: segments.split(" "),
});

/** Groups of operations, in the order in which they are shown. */
const GROUPS: Group[] = [
  group("Session", "Signing in, and who calls.", "login logout auth me devices invitations"),
  group("Workspace", "Settings, users, keys, audit log.", "tenant_config workspace users api-keys audit-log"),
  group("Assets", "The register of what there is.", "assets statuses custom-fields import"),
  group("Custody", "Where an asset is, and who has it.", "movements checkouts checkout checkin checkins"),
  group(
    "Organisation",
    "Places, categories, people and departments.",
    "properties buildings floors locations categories custodians departments",
  ),
  group("Tags and zones", "Tags of all kinds, and the zones that they are read in.", "tags zones"),
  group("Readers", "Readers, and the events that they sign.", "readers reader-events ingest"),
  group("Alerts", "Rules, the alerts that they raise, and notices.", "alert-rules alerts notices"),
  group("Webhooks", "Subscriptions, the log of their deliveries, and what is delivered.", "webhooks"),
  group("Stock-take", "Counting what is there, and what differs.", "stocktake"),
  group(
    "Maintenance",
    "Work orders, schedules, calibrations, attachments and contracts.",
    "work-orders pm-schedules maintenance calibrations meter-readings attachments contracts",
  ),
  group("Depreciation", "Runs, and what they make of an asset's value.", "depreciation depr-profiles"),
  group("Reports", "Reports and exports.", "reports export"),
];

/** The group of a path: that of what belongs to an asset, else of its first segment. */
export function tagOf(path: string): string {
  const [first = "", ...rest] = path.split("/").filter((segment) => segment !== "" && segment !== "v1");
  const named = first === "assets" ? rest.find((segment) => groupOf(segment) !== undefined) : undefined;
  return groupOf(named ?? first)?.name ?? first;
}

const groupOf = (segment: string): Group | undefined =>
  GROUPS.find(({ segments }) => segments.includes(segment));

/** The groups that a document uses, in order; one that is not listed above is at the end. */
export function describeTags(used: Set<string>): { name: string; description: string }[] {
  const known = GROUPS.filter(({ name }) => used.has(name)).map(({ name, description }) => ({
    name,
    description,
  }));
  const others = [...used].filter((name) => !known.some((tag) => tag.name === name));
  return [...known, ...others.map((name) => ({ name, description: `What is under \`/${name}\`.` }))];
}
