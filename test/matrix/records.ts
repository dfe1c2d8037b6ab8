import { randomBytes } from "node:crypto";
import { eventually } from "@asset-register/harness";
import { type Api, type ReaderKey, readerKey, signEvent } from "@asset-register/harness/client";

type Id = { id: string };
type Listed = { data: (Id & { subject: string })[] };

/** Where a record is made: an admin's and a program's way in, and what is made already. */
export type Maker = {
  people: Pick<Api, "get" | "post">;
  programs: Api;
  /** Signs the admin in on another device. */
  newDevice(): Promise<string>;
  /** The readers made so far, with their secrets. */
  readers: Map<string, ReaderKey>;
  /** One record of a kind, made when it is first wanted. */
  shared(kind: string): Promise<string>;
  /** A record of a kind that nothing else uses. */
  fresh(kind: string): Promise<string>;
};

export const unique = (): string => randomBytes(8).toString("hex");

const person =
  (path: string, body: (maker: Maker) => object | Promise<object>) =>
  async (maker: Maker): Promise<string> =>
    (await maker.people.post<Id>(path, await body(maker))).id;

/** How a record of each kind is made, by the prefix of its ids. */
export const makers: Record<string, (maker: Maker) => Promise<string>> = {
  ast: person("/assets", () => ({ name: "Drill" })),
  sta: async ({ people }) => (await people.get<Listed>("/statuses")).data[0]!.id,
  prp: person("/properties", () => ({ name: "Head office" })),
  bld: person("/buildings", async ({ shared }) => ({ name: "North", property_id: await shared("prp") })),
  flr: person("/floors", async ({ shared }) => ({ name: "Ground", building_id: await shared("bld") })),
  loc: person("/locations", async ({ shared }) => ({ name: "Gate", floor_id: await shared("flr") })),
  cat: person("/categories", () => ({ name: "Tools" })),
  cus: person("/custodians", () => ({ name: "Ada Byron" })),
  dep: person("/departments", () => ({ name: "Works" })),
  chk: person("/checkouts", async ({ fresh, shared }) => ({
    asset_id: await fresh("ast"),
    issued_to_type: "custodian",
    issued_to_id: await shared("cus"),
  })),
  zon: person("/zones", () => ({ name: "Yard" })),
  rdr: async ({ people, readers }) => {
    // A phone's tags are never said to have left: nothing changes later by itself.
    const made = await people.post<Id & { secret: string }>("/readers", { name: "Phone", kind: "phone" });
    readers.set(made.id, readerKey(made.id, made.secret));
    return made.id;
  },
  tag: person("/tags/commission", async ({ fresh }) => ({ asset_id: await fresh("ast"), code: unique() })),
  rul: person("/alert-rules", () => ({
    name: "Strangers",
    scope_type: "all",
    condition: { type: "unknown_tag" },
    channel: "inapp",
  })),
  alr: raiseAlert,
  whk: async ({ programs }) => {
    const body = { url: "http://127.0.0.1:9/hook", events: ["alert.resolved"] };
    return (await programs.post<{ data: Id }>("/webhooks", body)).data.id;
  },
  key: person("/api-keys", () => ({ name: "ERP", scopes: ["assets:read"] })),
  device: ({ newDevice }) => newDevice(),
  usr: person("/users", () => ({ email: `${unique()}@example.com`, name: "Grace", capabilities: ["view"] })),
};

/** A read of a tag that nobody has commissioned, and what the rule makes of it. */
async function raiseAlert({ people, programs, readers, shared }: Maker): Promise<string> {
  const [rule, reader] = await Promise.all([shared("rul"), shared("rdr")]);
  const epc = randomBytes(12).toString("hex").toUpperCase();
  const event = signEvent(readers.get(reader)!, { epc, ts: new Date().toISOString() });
  await programs.post("/reader-events", event);
  await eventually(async () => {
    const { last_seen_at } = await people.get<{ last_seen_at: string | null }>(`/readers/${reader}`);
    if (last_seen_at === null) throw new Error("the reader was not heard yet");
  });
  return eventually(async () => {
    const { data } = await people.get<Listed>(`/alerts?rule_id=${rule}&per_page=200`);
    const found = data.find(({ subject }) => subject.includes(epc));
    if (found === undefined) throw new Error(`no alert of ${epc} yet`);
    return found.id;
  });
}

export function createMaker({
  people,
  programs,
  newDevice,
}: Pick<Maker, "people" | "programs" | "newDevice">): Maker {
  const made = new Map<string, Promise<string>>();
  const maker: Maker = {
    people,
    programs,
    newDevice,
    readers: new Map(),
    shared(kind) {
      const there = made.get(kind) ?? maker.fresh(kind);
      made.set(kind, there);
      return there;
    },
    async fresh(kind) {
      const make = makers[kind];
      if (make === undefined) throw new Error(`How a record "${kind}" is made: teach it in records.ts`);
      return make(maker);
    },
  };
  return maker;
}
