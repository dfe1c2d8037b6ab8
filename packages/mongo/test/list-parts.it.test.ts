import { afterAll, beforeAll, expect, it } from "vitest";
import { type ListPart, listParts, type Mongo } from "../src/index.ts";
import { connectFresh } from "./connect.ts";

type Row = { _id: string; workspaceId: string; kind: string; at: Date };

const HOUR = 3_600_000;
let db: Mongo;
const at = (hours: number) => new Date(Date.UTC(2026, 0, 1) + hours * HOUR);
/** A part of 10 hours, whose rows may be an hour beyond it. */
const parts = [30, 20, 10, 0].map(
  (hour): ListPart => ({ collection: `part_${hour}`, from: at(hour - 1), until: at(hour + 11) }),
);
/** In each part 6 rows: two of one time, two beyond its ends. The part of 10 has none of this kind. */
const rows = parts.flatMap(({ collection, from }) =>
  [0, 2, 5, 5, 9, 11.5].map((hour, index): Row & { collection: string } => ({
    collection,
    _id: `${collection}_${index}`,
    ...{
      workspaceId: "w1",
      kind: collection === "part_10" ? "b" : "a",
      at: new Date(from.getTime() + hour * HOUR),
    },
  })),
);
const expected = rows
  .filter(({ kind }) => kind === "a")
  .sort((one, other) => other.at.getTime() - one.at.getTime() || (one._id < other._id ? 1 : -1))
  .map(({ _id }) => _id);

beforeAll(async () => {
  db = await connectFresh();
  for (const { collection, ...row } of rows) {
    await db.collection<Row>(collection).insertOne(row);
    await db.collection<Row>(collection).insertOne({ ...row, _id: `${row._id}w2`, workspaceId: "w2" });
  }
});
afterAll(() => db.close());

type Asked = { limit: number; cursor?: string | undefined; from?: Date; to?: Date; workspaceId?: string };

const list = ({ limit, cursor, from = at(-5), to = at(50), workspaceId = "w1" }: Asked) =>
  listParts<Row>(db, {
    ...{ list: "rows", workspaceId, filter: { kind: "a" }, boundTo: { from, to }, field: "at" },
    ...{ from, to, parts, page: { limit, cursor } },
  });

it("pages of any size have each row once, the newest first, also where the times of parts overlap", async () => {
  for (const limit of [1, 2, 3, 5, 18, 19]) {
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await list({ limit, cursor });
      seen.push(...page.items.map(({ _id }) => _id));
      cursor = page.nextCursor;
    } while (cursor !== undefined);
    expect(seen).toEqual(expected);
  }
});

it("the time includes `from` and not `to`", async () => {
  const [from, to] = [at(4), at(24)];
  const { items } = await list({ limit: 50, from, to });
  expect(items.map(({ _id }) => _id)).toEqual(
    expected.filter((id) => rows.some((row) => row._id === id && row.at >= from && row.at < to)),
  );
  expect(items.at(-1)?.at).toEqual(from);
});

it("a cursor is for its list, workspace and time only", async () => {
  const { nextCursor: cursor } = await list({ limit: 1 });
  const onCursor = { violations: [{ field: "cursor" }] };
  await expect(list({ limit: 1, cursor, workspaceId: "w2" })).rejects.toMatchObject(onCursor);
  await expect(list({ limit: 1, cursor, to: at(49) })).rejects.toMatchObject(onCursor);
  await expect(list({ limit: 1, cursor: "x" })).rejects.toMatchObject(onCursor);
});
