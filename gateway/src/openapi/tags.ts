type Group = { name: string; description: string; segments: string[] };

const group = (name: string, description: string, segments: string): Group => ({
  name,
  description,
  segments: segments.split(" "),
});

/** Groups of operations, in the order in which the reference shows them. */
const GROUPS: Group[] = [
  group(
    "Session",
    "Sign-in, sessions and the current user or key.",
    "login logout auth password me devices invitations home",
  ),
  group(
    "Workspace",
    "Settings, users, API keys and the audit log.",
    "tenant_config workspace users api-keys audit-log",
  ),
  group("Assets", "The asset register.", "assets statuses custom-fields import"),
  group("Custody", "Where an asset is and who has it.", "movements checkouts checkout checkin checkins"),
  group(
    "Organisation",
    "Places, categories, people and departments.",
    "properties buildings floors locations categories custodians departments",
  ),
  group(
    "Tags and zones",
    "Tags, their labels, and the zones in which readers see them.",
    "tags labels zones",
  ),
  group(
    "Readers",
    "Readers and agents, and the events that they post.",
    "readers reader-settings reader-events ingest agents",
  ),
  group("Alerts", "Alert rules, alerts and notices.", "alert-rules alerts notices"),
  group("Webhooks", "Subscriptions, their delivery log, and the messages.", "webhooks"),
  group("Events", "What happens in the workspace, as pages and as a stream.", "events"),
  group("Stock-take", "Count assets and resolve the differences.", "stocktake"),
  group(
    "Maintenance",
    "Work orders, schedules, calibrations, attachments and contracts.",
    "work-orders pm-schedules maintenance calibrations meter-readings attachments contracts",
  ),
  group("Depreciation", "Depreciation runs and the book values of assets.", "depreciation depr-profiles"),
  group("Reports", "Reports and exports.", "reports export"),
];

/** The group of a path: that of its first segment, or of what belongs to an asset, such as /assets/:id/movements. */
export function tagOf(path: string): string {
  const [first = "", ...rest] = path.split("/").filter((segment) => segment !== "" && segment !== "v1");
  const named = first === "assets" ? rest.find((segment) => groupOf(segment) !== undefined) : undefined;
  return groupOf(named ?? first)?.name ?? first;
}

const groupOf = (segment: string): Group | undefined =>
  GROUPS.find(({ segments }) => segments.includes(segment));

/** The groups that a document uses, in order. Groups that are not listed above are last. */
export function describeTags(used: Set<string>): { name: string; description: string }[] {
  const known = GROUPS.filter(({ name }) => used.has(name)).map(({ name, description }) => ({
    name,
    description,
  }));
  const others = [...used].filter((name) => !known.some((tag) => tag.name === name));
  return [...known, ...others.map((name) => ({ name, description: `Operations under \`/${name}\`.` }))];
}
