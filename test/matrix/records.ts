import { randomBytes } from "node:crypto";
import { eventually } from "@asset-register/harness";
import { type Api, type ReaderKey, readerKey, signEvent } from "@asset-register/harness/client";
import { memberWithPasskey } from "./factors.ts";
import { encodeForm } from "./form.ts";

type Id = { id: string };
type Listed = { data: (Id & { subject: string })[] };

/** Creates records in one workspace, with the clients of its admin and its API key. */
export type RecordFactory = {
  userApi: Pick<Api, "call" | "get" | "post">;
  keyApi: Api;
  /** The API as the owner of another access token. */
  as(credential: string): Api;
  /** PUBLIC_URL of the platform, at which passkeys work. */
  publicUrl: string;
  /** The URL of a receiver of webhooks that answers 204. */
  receiverUrl: string;
  /** Signs the admin in on a new device and returns the device's id. */
  newDevice(): Promise<string>;
  /** The signing keys of the created readers, by id. */
  readers: Map<string, ReaderKey>;
  /** The id of a record of a kind that all tests share. It is created at its first use. */
  shared(kind: string): Promise<string>;
  /** Creates a record of a kind that no other test uses, and returns its id. */
  create(kind: string): Promise<string>;
};

export const unique = (): string => randomBytes(8).toString("hex");

const viaUserApi =
  (path: string, body: (factory: RecordFactory) => object | Promise<object>) =>
  async (factory: RecordFactory): Promise<string> =>
    (await factory.userApi.post<Id>(path, await body(factory))).id;

/** Creates a record of each kind. The keys are the prefixes of ids. */
export const recordCreators: Record<string, (factory: RecordFactory) => Promise<string>> = {
  ast: viaUserApi("/assets", () => ({ name: "Drill" })),
  sta: async ({ userApi }) => (await userApi.get<Listed>("/statuses")).data[0]!.id,
  prp: viaUserApi("/properties", () => ({ name: "Head office" })),
  bld: viaUserApi("/buildings", async ({ shared }) => ({ name: "North", property_id: await shared("prp") })),
  flr: viaUserApi("/floors", async ({ shared }) => ({ name: "Ground", building_id: await shared("bld") })),
  loc: viaUserApi("/locations", async ({ shared }) => ({ name: "Gate", floor_id: await shared("flr") })),
  cat: viaUserApi("/categories", () => ({ name: "Tools" })),
  cus: viaUserApi("/custodians", () => ({ name: "Ada Byron" })),
  dep: viaUserApi("/departments", () => ({ name: "Works" })),
  imp: async ({ userApi }) => {
    const { type, text } = encodeForm({ file: "number,name,colour\n" });
    return (await userApi.post<Id>("/import/assets", text, { "content-type": type })).id;
  },
  cfd: viaUserApi("/custom-fields", () => ({ key: `k${unique()}`, label: "Colour", type: "text" })),
  chk: viaUserApi("/checkouts", async ({ create, shared }) => ({
    asset_id: await create("ast"),
    issued_to_type: "custodian",
    issued_to_id: await shared("cus"),
  })),
  mov: viaUserApi("/movements", async ({ create, shared }) => ({
    asset_id: await create("ast"),
    to_location_id: await shared("loc"),
  })),
  zon: viaUserApi("/zones", () => ({ name: "Yard" })),
  rdr: async ({ userApi, readers }) => {
    // A phone reports no departures of tags. So nothing changes later without a request.
    const reader = await userApi.post<Id & { secret: string }>("/readers", { name: "Phone", kind: "phone" });
    readers.set(reader.id, readerKey(reader.id, reader.secret));
    return reader.id;
  },
  agt: viaUserApi("/agents", () => ({ name: "Depot north" })),
  tag: viaUserApi("/tags/commission", async ({ create }) => ({
    asset_id: await create("ast"),
    code: unique(),
  })),
  domain: async ({ userApi }) => {
    const { domain } = await userApi.post<{ domain: string }>("/sso/domains", {
      domain: `${unique()}.example.org`,
    });
    return domain;
  },
  lbl: (factory) => labelSheet(factory),
  rul: viaUserApi("/alert-rules", () => ({
    name: "Unknown tags",
    scope_type: "all",
    condition: { type: "unknown_tag" },
    channel: "inapp",
  })),
  bkt: viaUserApi("/alert-rules/backtest", () => ({
    rule: { scope_type: "all", condition: { type: "unknown_tag" } },
  })),
  alr: async (factory) => raiseAlert(factory, await factory.shared("rul")),
  // Of a rule of its own: a rule reports 20 alerts of a minute one by one.
  ntc: async (factory) => {
    const alert = await raiseAlert(factory, await factory.create("rul"));
    return eventually(async () => {
      const { data } = await factory.userApi.get<{ data: (Id & { alert_id: string })[] }>(
        "/notices?per_page=200",
      );
      const found = data.find(({ alert_id }) => alert_id === alert);
      if (found === undefined) throw new Error(`no notice of ${alert} yet`);
      return found.id;
    });
  },
  // Of the asset that is created first.
  msg: async (factory) => {
    await factory.shared("ast");
    const { data } = await factory.userApi.get<Listed>("/events?limit=1&wait=25");
    return data[0]!.id;
  },
  // Open, with one expected asset.
  sts: async (factory) => {
    const id = await draftSession(factory);
    await factory.userApi.post(`/stocktake/sessions/${id}/open`);
    await awaitStatus(factory, id, "open");
    return id;
  },
  // Of a missing asset.
  var: async (factory) => {
    const id = await reconciledSession(factory);
    const { data } = await factory.userApi.get<Listed>(`/stocktake/sessions/${id}/variances`);
    return data[0]!.id;
  },
  att: async ({ userApi, shared }) => {
    const { type, text } = encodeForm({ file: "Manual" });
    const path = `/assets/${await shared("ast")}/attachments`;
    return (await userApi.post<Id>(path, text, { "content-type": type })).id;
  },
  ctr: viaUserApi("/contracts", async ({ shared }) => {
    return { asset_id: await shared("ast"), type: "service", ...soonExpiring() };
  }),
  wo: viaUserApi("/work-orders", async ({ shared }) => ({ asset_id: await shared("ast"), title: "Oil" })),
  pms: viaUserApi("/pm-schedules", async ({ create }) => ({
    ...{
      asset_id: await create("ast"),
      title: "Oil",
      interval_value: 1,
      interval_unit: "month",
      basis: "fixed",
    },
  })),
  cal: async ({ userApi, shared }) =>
    (await userApi.post<Id>(`/assets/${await shared("ast")}/calibrations`, { result: "passed" })).id,
  mrd: async ({ userApi, create }) =>
    (await userApi.post<Id>(`/assets/${await create("ast")}/meter-readings`, { value: 5 })).id,
  prf: async ({ userApi, create }) =>
    (await userApi.post<Id>(`/assets/${await create("ast")}/depr-profiles`, straightLine)).id,
  run: postedRun,
  whk: async (factory) => {
    await makeRoomForWebhook(factory);
    const { keyApi, receiverUrl } = factory;
    const body = { url: receiverUrl, events: ["alert.resolved"] };
    return (await keyApi.post<{ data: Id }>("/webhooks", body)).data.id;
  },
  // Of the shared webhook. It is delivered, so it can be retried.
  dlv: async ({ keyApi, shared }) => {
    const webhook = `/webhooks/${await shared("whk")}`;
    const { data } = await keyApi.post<{ data: Id }>(`${webhook}/test`);
    return eventually(async () => {
      const log = await keyApi.get<{ data: (Id & { status: string })[] }>(`${webhook}/deliveries?limit=100`);
      const found = log.data.find(({ id }) => id === data.id);
      if (found?.status !== "delivered") throw new Error(`the delivery is ${found?.status}`);
      return found.id;
    });
  },
  key: viaUserApi("/api-keys", () => ({ name: "ERP", scopes: ["assets:read"] })),
  pky: async (factory) => (await memberWithPasskey(factory)).id,
  device: ({ newDevice }) => newDevice(),
  usr: viaUserApi("/users", () => ({
    email: `${unique()}@example.com`,
    name: "Grace",
    capabilities: ["view"],
  })),
};

/** Fewer than the 20 that a workspace may have: requests at the same moment find room too. */
const WEBHOOKS = 16;

/** Deletes the oldest webhook that only an earlier test used, if the workspace has many. */
export async function makeRoomForWebhook({ keyApi, shared }: RecordFactory): Promise<void> {
  const { data } = await keyApi.get<{ data: Id[] }>("/webhooks?limit=100");
  if (data.length < WEBHOOKS) return;
  const kept = await shared("whk");
  const oldest = data.find(({ id }) => id !== kept);
  await keyApi.call("DELETE", `/webhooks/${oldest?.id}`);
}

/** The asset of a tag. */
export async function taggedAsset({ userApi, shared }: RecordFactory): Promise<string> {
  return (await userApi.get<{ asset_id: string }>(`/tags/${await shared("tag")}`)).asset_id;
}

/** A sheet of labels that is ready, of this caller: only its maker and admins see it. */
export async function labelSheet(factory: RecordFactory, maker = factory.userApi): Promise<string> {
  const request = { asset_ids: [await taggedAsset(factory)], template: "50x25" };
  const { id } = await maker.post<Id>("/labels", request);
  await eventually(async () => {
    const { status } = await maker.get<{ status: string }>(`/labels/${id}`);
    if (status !== "ready") throw new Error(`the sheet is ${status}`);
  });
  return id;
}

/** A depreciation profile. */
export const straightLine = {
  ...{ method: "straight_line", cost: 1200, life_months: 12, in_service_date: "2026-01-01" },
};

/** A stock-take session of one asset, which is missing. */
async function reconciledSession(factory: RecordFactory): Promise<string> {
  const id = await draftSession(factory, await factory.create("loc"));
  await factory.userApi.post(`/stocktake/sessions/${id}/open`);
  await awaitStatus(factory, id, "open");
  await factory.userApi.post(`/stocktake/sessions/${id}/reconcile`);
  await awaitStatus(factory, id, "reconciled");
  return id;
}

/** On a busy machine, opening and reconciling end after their response. */
function awaitStatus({ userApi }: RecordFactory, id: string, expected: string): Promise<void> {
  return eventually(async () => {
    const { status } = await userApi.get<{ status: string }>(`/stocktake/sessions/${id}`);
    if (status !== expected) throw new Error(`the session is ${status}`);
  });
}

/** A stock-take session that can be closed. */
export async function resolvedSession(factory: RecordFactory): Promise<string> {
  const variance = await recordCreators.var!(factory);
  const { session_id } = await factory.userApi.post<{ session_id: string }>(
    `/stocktake/variances/${variance}`,
    { resolution: "ignored" },
  );
  return session_id;
}

/** A stock-take session of one asset. */
export async function draftSession({ userApi, shared }: RecordFactory, location?: string): Promise<string> {
  const location_id = location ?? (await shared("loc"));
  await userApi.post("/assets", { name: "Drill", location_id });
  const session = { name: "Spring", scope_type: "location", scope_id: location_id };
  return (await userApi.post<Id>("/stocktake/sessions", session)).id;
}

/**
 * A posted depreciation run with a line of one asset. A draft is stale when finance hears later of an asset that was
 * created at the same time. Then there is another one.
 */
function postedRun(factory: RecordFactory): Promise<string> {
  return eventually(async () => {
    const id = await draftRun(factory);
    await factory.userApi.post(`/depreciation/runs/${id}/post`);
    await runIs(factory, id, "posted");
    return id;
  });
}

/** A depreciation run that can be posted, of the month after the last posted one. */
export async function draftRun(factory: RecordFactory): Promise<string> {
  const { userApi } = factory;
  const runs = await discardLiveRuns(factory);
  await userApi.post("/assets", {
    ...{ name: "Press", cost: 1200, salvage_value: 0, useful_life_months: 1200 },
    ...{ in_service_date: "1990-01-01", depreciation_method: "straight_line" },
  });
  const posted = runs.filter(({ status }) => status === "posted");
  const next = Math.max(1990 * 12, ...posted.map(({ year, month }) => year * 12 + month));
  const { id } = await userApi.post<Id>("/depreciation/runs", {
    ...{ year: Math.floor(next / 12), month: (next % 12) + 1 },
  });
  await runIs(factory, id, "draft");
  return id;
}

type Run = Id & { status: string; year: number; month: number };

/** A workspace has one live run of a book. Returns the other runs. */
export async function discardLiveRuns({ userApi }: RecordFactory): Promise<Run[]> {
  const { data } = await userApi.get<{ data: Run[] }>("/depreciation/runs?sort=-id&per_page=200&book=book");
  const live = data.filter(({ status }) => status === "computing" || status === "draft");
  for (const { id } of live) await userApi.post(`/depreciation/runs/${id}/discard`);
  return data.filter((run) => !live.includes(run));
}

const runIs = ({ userApi }: RecordFactory, id: string, status: string): Promise<void> =>
  eventually(async () => {
    const run = await userApi.get<Run>(`/depreciation/runs/${id}`);
    if (run.status !== status) throw new Error(`the run is ${run.status}`);
  });

/** The period of a contract that runs and ends within 30 days. */
const soonExpiring = () => ({
  starts_on: "2020-01-31",
  ends_on: new Date(Date.now() + 10 * 86_400_000).toISOString().slice(0, 10),
});

/** A started work order of type calibration. */
export async function startedCalibration({ userApi, shared }: RecordFactory): Promise<string> {
  const order = { asset_id: await shared("ast"), title: "Calibrate", type: "calibration" };
  const { id } = await userApi.post<Id>("/work-orders", order);
  await userApi.post(`/work-orders/${id}/status`, { status: "in_progress" });
  return id;
}

/** Sends a read of an unknown tag, and waits for the alert that the rule raises. */
async function raiseAlert(
  { userApi, keyApi, readers, shared }: RecordFactory,
  rule: string,
): Promise<string> {
  const reader = await shared("rdr");
  const epc = randomBytes(12).toString("hex").toUpperCase();
  const event = signEvent(readers.get(reader)!, { epc, ts: new Date().toISOString() });
  await keyApi.post("/reader-events", event);
  await eventually(async () => {
    const { last_seen_at } = await userApi.get<{ last_seen_at: string | null }>(`/readers/${reader}`);
    if (last_seen_at === null) throw new Error("the reader has no last_seen_at yet");
  });
  return eventually(async () => {
    const { data } = await userApi.get<Listed>(`/alerts?rule_id=${rule}&per_page=200`);
    const found = data.find(({ subject }) => subject.includes(epc));
    if (found === undefined) throw new Error(`no alert for ${epc} yet`);
    return found.id;
  });
}

export function createRecordFactory({
  userApi,
  keyApi,
  as,
  publicUrl,
  receiverUrl,
  newDevice,
}: Pick<
  RecordFactory,
  "userApi" | "keyApi" | "as" | "publicUrl" | "receiverUrl" | "newDevice"
>): RecordFactory {
  const sharedIds = new Map<string, Promise<string>>();
  const factory: RecordFactory = {
    userApi,
    keyApi,
    as,
    publicUrl,
    receiverUrl,
    newDevice,
    readers: new Map(),
    shared(kind) {
      const id = sharedIds.get(kind) ?? factory.create(kind);
      sharedIds.set(kind, id);
      return id;
    },
    async create(kind) {
      const createRecord = recordCreators[kind];
      if (createRecord === undefined)
        throw new Error(`no way to create a record of kind "${kind}": add it to records.ts`);
      return createRecord(factory);
    },
  };
  return factory;
}

/** An alert rule that reports to a webhook. */
export async function webhookRule({ userApi, receiverUrl }: RecordFactory): Promise<string> {
  const rule = { name: "Gate", scope_type: "all", condition: { type: "unknown_tag" } };
  const channel = { channel: "webhook", channel_target: receiverUrl };
  return (await userApi.post<Id>("/alert-rules", { ...rule, ...channel })).id;
}
