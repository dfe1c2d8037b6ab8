import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  defineRecords,
  embedded,
  ensureRecordIndexes,
  isDuplicateKey,
  type Mongo,
  type RecordStore,
  TenantGuardError,
} from "../src/index.ts";
import { connectFresh } from "./connect.ts";

type Tool = {
  id: string;
  workspaceId: string;
  name: string;
  note?: string | undefined;
  owner?: { kind: string; id: string } | undefined;
  labels: string[];
  /** Not written by `save`. */
  seenAt?: Date | undefined;
  rev: number;
};
type Keys = { nameKey: string };

const tools = defineRecords<Tool, Keys>({
  collection: "tools",
  name: "tool",
  fields: {
    name: String,
    note: String,
    owner: embedded({ kind: String, id: String }),
    labels: [String],
    seenAt: Date,
    rev: Number,
  },
  beside: { nameKey: String },
  derive: ({ name }) => ({ nameKey: name.toLowerCase() }),
  observed: ["seenAt"],
  indexes: [{ name: "name", key: { workspaceId: 1, nameKey: 1 }, unique: true }],
});

let db: Mongo;
let store: RecordStore<Tool, Keys>;

beforeAll(async () => {
  db = await connectFresh();
  await ensureRecordIndexes(db, tools);
  store = tools.store(db);
});
afterAll(() => db.close());

let made = 0;
async function insert(fields: Partial<Tool> = {}): Promise<Tool> {
  made += 1;
  const tool = { id: `tol_${made}`, workspaceId: "w1", name: `Tool ${made}`, labels: [], rev: 1, ...fields };
  await store.insert("w1", tool);
  return tool;
}
const read = (id: string) => store.findOne("w1", { _id: id });
const stored = (id: string) => store.collection.findOne({ workspaceId: "w1", _id: id });

describe("a record store", () => {
  it("a record is read as it was inserted, without the additional fields of its document", async () => {
    const full = await insert({ note: "n", owner: { kind: "user", id: "usr_1" }, labels: ["a"] });
    const bare = await insert();
    expect(await read(full.id)).toEqual(full);
    expect(await read(bare.id)).toEqual(bare);
    expect(await stored(bare.id)).toEqual({
      ...{ _id: bare.id, workspaceId: "w1", name: bare.name, labels: [], rev: 1 },
      nameKey: bare.name.toLowerCase(),
    });
  });

  it("insert, save and updates refuse undeclared fields", async () => {
    const tool = await insert();
    const typo = { ...tool, nmae: "x" };
    await expect(store.insert("w1", { ...typo, id: "tol_typo" })).rejects.toThrow(/nmae/);
    await expect(store.save("w1", typo, 1)).rejects.toThrow(/nmae/);
    const update = { $set: { nmae: "x" } } as object;
    await expect(store.model.updateOne({ _id: tool.id, workspaceId: "w1" }, update)).rejects.toThrow(/nmae/);
    expect(await read(tool.id)).toEqual(tool);
    expect(await read("tol_typo")).toBeUndefined();
  });

  it("insertManyNative stores the documents of insertMany, and refuses undeclared fields and duplicates", async () => {
    const owner = { kind: "user", id: undefined } as unknown as Tool["owner"];
    const { labels: _labels, ...unlabelled } = { ...(await insert()), note: undefined, owner };
    const both = [
      { ...(await insert({ note: "n", labels: ["a"], seenAt: new Date(1_000) })) },
      unlabelled as Tool,
    ];
    const named = (prefix: string) =>
      both.map((tool, index) => ({ ...tool, id: `${prefix}${index}`, name: `${prefix} ${index}` }));
    await store.insertMany("w1", named("cast"));
    await store.insertManyNative("w1", named("raw"));
    for (const index of [0, 1]) {
      const cast = await stored(`cast${index}`);
      const renamed = { _id: `raw${index}`, name: `raw ${index}`, nameKey: `raw ${index}` };
      expect(await stored(`raw${index}`)).toEqual({ ...cast, ...renamed });
    }
    const typo = { ...both[0], id: "tol_typo", nmae: "x" } as unknown as Tool;
    await expect(store.insertManyNative("w1", [typo])).rejects.toThrow(/nmae/);
    await expect(store.insertManyNative("w1", named("raw"))).rejects.toSatisfy((error) =>
      isDuplicateKey(error),
    );
  });

  it("save removes fields that the record does not have any more, and keeps observed fields", async () => {
    const tool = await insert({ note: "n", owner: { kind: "user", id: "usr_1" } });
    const seenAt = new Date(1_000);
    await store.model.updateOne({ _id: tool.id, workspaceId: "w1" }, { $set: { seenAt } });
    const { note: _note, owner: _owner, ...rest } = tool;
    await store.save("w1", { ...rest, name: "Renamed", rev: 2 }, 1);
    expect(await read(tool.id)).toEqual({ ...rest, name: "Renamed", rev: 2, seenAt });
    expect(await stored(tool.id)).toMatchObject({ nameKey: "renamed" });
    expect(Object.keys((await stored(tool.id)) ?? {})).not.toContain("note");
  });

  it("two concurrent saves of one revision: one succeeds, the other gets CONFLICT", async () => {
    const tool = await insert();
    const saves = ["a", "b"].map((note) => store.save("w1", { ...tool, note, rev: 2 }, 1));
    const outcomes = await Promise.allSettled(saves);
    const failed = outcomes.filter((outcome) => outcome.status === "rejected");
    expect(failed).toMatchObject([{ reason: { kind: "conflict", code: "CONFLICT" } }]);
    const won = outcomes.findIndex((outcome) => outcome.status === "fulfilled");
    expect(await read(tool.id)).toMatchObject({ note: ["a", "b"][won], rev: 2 });
  });

  it("saveMany saves each record like save, or none of them if another change of one came first", async () => {
    const [one, other] = [await insert({ note: "n" }), await insert({ seenAt: new Date(1_000) })];
    const change = (before: Tool) => {
      const { note: _note, ...after } = { ...before, name: `${before.name} B`, rev: before.rev + 1 };
      return { before, after };
    };
    const both = [one, other].map(change);
    const saveBoth = () => db.transaction({}, (session) => store.saveMany("w1", both, session));
    await saveBoth();
    expect(await Promise.all([one, other].map(({ id }) => read(id)))).toEqual(both.map(({ after }) => after));
    expect(await stored(one.id)).toMatchObject({ nameKey: `${one.name} B`.toLowerCase() });
    expect(Object.keys((await stored(one.id)) ?? {})).not.toContain("note");
    await expect(saveBoth()).rejects.toMatchObject({ code: "CONFLICT" });
    const third = await insert();
    const late = [change(third), ...both];
    await expect(db.transaction({}, (session) => store.saveMany("w1", late, session))).rejects.toMatchObject({
      code: "CONFLICT",
    });
    expect(await read(third.id)).toEqual(third);
    const typo = [{ before: third, after: { ...third, nmae: "x" } }];
    await expect(db.transaction({}, (session) => store.saveMany("w1", typo, session))).rejects.toThrow(
      /nmae/,
    );
  });

  it("a unique index on a derived field refuses a duplicate", async () => {
    const { name } = await insert();
    const error: unknown = await insert({ name: name.toUpperCase() }).catch((thrown: unknown) => thrown);
    expect(isDuplicateKey(error, "name")).toBe(true);
  });

  it("a record is never read, written or counted from another workspace, whatever the filter contains", async () => {
    const tool = await insert();
    expect(await store.findOne("w2", { _id: tool.id })).toBeUndefined();
    expect(await store.find("w2", { workspaceId: "w1" })).toEqual([]);
    expect((await store.list("w2", { page: 1, limit: 5 }, { filter: { workspaceId: "w1" } })).total).toBe(0);
    await expect(store.model.updateOne({ _id: tool.id }, { $set: { note: "x" } })).rejects.toThrow(
      TenantGuardError,
    );
    await store.insert("w2", { ...tool, id: `${tool.id}_2` });
    expect(await store.findOne("w2", { _id: `${tool.id}_2` })).toMatchObject({ workspaceId: "w2" });
  });

  it("records are listed page by page in order of id, or newest first", async () => {
    const ids = ["tol_x1", "tol_x2", "tol_x3"];
    for (const id of ids) await store.insert("w3", { ...(await insert()), id, name: id });
    for (const [newestFirst, expected] of [
      [false, ids],
      [true, ids.toReversed()],
    ] as const) {
      const first = await store.list("w3", { page: 1, limit: 2 }, { newestFirst });
      const cursor = first.nextCursor;
      const second = await store.list("w3", { page: 1, limit: 2, cursor }, { newestFirst });
      expect([...first.items, ...second.items].map(({ id }) => id)).toEqual(expected);
      expect(second).toMatchObject({ total: 3, nextCursor: undefined });
    }
  });
});

it("two stores of one collection on one connection share its model", () => {
  expect(tools.store(db).model).toBe(store.model);
});
