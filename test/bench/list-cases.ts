import { KINDS, middleWord, tailWord } from "./asset-words.ts";
import type { BenchPlatform } from "./platform.ts";

/** Requests of one kind, which are sent in turn. Each is a path of surface B with its query. */
export type ListCase = { name: string; paths: readonly string[] };

type Row = Record<string, string>;
type Rows = { data: Row[]; next_cursor?: string };

const filters = ["status", "category", "location", "custodian", "property"] as const;
const sorts = ["id", "-id", "updated_at", "-updated_at", "name", "number"] as const;

/** The last page of 25 that a page number can ask for is 4,001. */
const DEEP_PAGE = 3_900;
const MIDDLE_PAGE = 2_000;

/** Words by the number of assets among 1,000,000 that have them. While a word is typed, its beginnings are words too. */
const words: Record<string, readonly string[]> = {
  "no asset": ["xylophone", "qqqq", "drillx"],
  "1 asset": ["000017", "123456", "987654", "500001"],
  "30 assets": Array.from({ length: 15 }, (_, index) => tailWord(4_000 + index * 7)),
  "1,000 assets": Array.from({ length: 15 }, (_, index) => middleWord(index * 31)),
  "30,000 assets": KINDS.slice(0, 15),
  "300,000 assets": [
    "acme",
    "borealis",
    "portable",
    "industrial",
    "acm",
    "boreal",
    "portab",
    "indus",
    "por",
    "ind",
  ],
  "all assets": ["ast"],
  "10,000 numbers": ["09", "05", "99", "33", "42"],
  "100,000 numbers": ["0", "9", "5"],
  "100 numbers": ["ast-0009", "ast-9999", "ast-5000"],
  "one letter": ["a", "p", "d", "l", "m"],
};

const several: Record<string, readonly string[]> = {
  "30,000 and 300,000": KINDS.slice(0, 15).map((kind) => `${kind} acme`),
  "300,000 and 300,000": ["portable industrial", "portable acme", "industrial borealis"],
  "300,000 and 300,000, none has both": ["acme borealis"],
  "30,000 and 30,000, none has both": ["drill pump", "laptop monitor", "radio valve"],
  "1,000 and 300,000": Array.from({ length: 15 }, (_, index) => `acme ${middleWord(index * 13)}`),
  "300,000 and one number": ["ast-000942 acme", "acme 000943"],
  "three common": ["portable industrial acme", "drill portable acme", "acme industrial pump"],
  "three, one of 1,000": Array.from({ length: 5 }, (_, index) => `portable acme ${middleWord(index * 17)}`),
};

/** The cases of a register that `addGeneratedAssets` has filled. */
export async function listCases({ userApi }: BenchPlatform): Promise<ListCase[]> {
  const { data: sample } = await userApi.get<Rows>("/assets?per_page=200&page=100");
  const commonOf = commonValues(sample);
  const filtered = (...names: (typeof filters)[number][]) =>
    names.map((name) => `${name}_id=${commonOf(name)}`).join("&");
  const lists = (name: string, queries: readonly string[]): ListCase => ({
    name,
    paths: queries.map((query) => `/assets?per_page=25&${query}`),
  });
  const list = (name: string, query: string): ListCase => lists(name, [query]);
  const afterMiddle = async (sort: string): Promise<string> => {
    const page = await userApi.get<Rows>(`/assets?per_page=25&page=${MIDDLE_PAGE}&sort=${sort}`);
    return `sort=${sort}&cursor=${page.next_cursor}`;
  };
  const search = (text: string): string => `q=${encodeURIComponent(text)}`;
  const afterFirst = async (query: string): Promise<string> => {
    const page = await userApi.get<Rows>(`/assets?per_page=25&${query}`);
    return `${query}&cursor=${page.next_cursor}`;
  };
  const attempt = async (name: string, query: Promise<string>): Promise<ListCase[]> =>
    query.then(
      (found) => [list(name, found)],
      () => [],
    );
  return [
    { name: "get", paths: sample.slice(0, 15).map(({ id }) => `/assets/${id}`) },
    list("first page", ""),
    list(`page ${DEEP_PAGE}`, `page=${DEEP_PAGE}`),
    ...(await attempt("cursor in the middle", afterMiddle("id"))),
    ...sorts.map((sort) => list(`sort ${sort}`, `sort=${sort}`)),
    list(`page ${DEEP_PAGE} by name`, `sort=name&page=${DEEP_PAGE}`),
    ...(await attempt("cursor in the middle by name", afterMiddle("name"))),
    ...(await attempt("cursor in the middle by updated_at", afterMiddle("-updated_at"))),
    ...filters.map((name) => list(`filter ${name}`, filtered(name))),
    ...filters.map((name) => list(`filter ${name} by name`, `${filtered(name)}&sort=name`)),
    ...filters.map((name) => list(`filter ${name} by -updated_at`, `${filtered(name)}&sort=-updated_at`)),
    ...filters.flatMap((one, index) =>
      filters.slice(index + 1).map((other) => list(`filters ${one}, ${other}`, filtered(one, other))),
    ),
    list("filters custodian, category by name", `${filtered("custodian", "category")}&sort=name`),
    list(`page 400 of a category`, `${filtered("category")}&page=400`),
    ...Object.entries(words).map(([name, texts]) => lists(`q: ${name}`, texts.map(search))),
    ...Object.entries(several).map(([name, texts]) => lists(`q: ${name}`, texts.map(search))),
    ...filters.map((name) => list(`q acme, filter ${name}`, `${search("acme")}&${filtered(name)}`)),
    ...filters.map((name) => list(`q drill, filter ${name}`, `${search("drill")}&${filtered(name)}`)),
    ...["acme", "drill", "portable", middleWord(8)].flatMap((word) =>
      ["name", "-updated_at"].map((sort) => list(`q ${word} by ${sort}`, `${search(word)}&sort=${sort}`)),
    ),
    ...(await attempt("q acme after a cursor", afterFirst(search("acme")))),
    ...(await attempt("q drill acme after a cursor", afterFirst(search("drill acme")))),
    list("q acme, page 400", `${search("acme")}&page=400`),
    list("updated_since, the last hours", "updated_since=2026-11-25T20:00:00Z"),
    list("updated_since, a year", "updated_since=2025-11-25T20:00:00Z"),
    list("updated_since and q", `updated_since=2026-11-20T20:00:00Z&${search("acme")}`),
    { name: "facets", paths: ["/assets/facets"] },
    ...filters.map((name) => ({ name: `facets ${name}`, paths: [`/assets/facets?${filtered(name)}`] })),
    { name: "facets custodian, category", paths: [`/assets/facets?${filtered("custodian", "category")}`] },
    { name: "facets q drill", paths: [`/assets/facets?${search("drill")}`] },
    { name: "facets q acme", paths: [`/assets/facets?${search("acme")}`] },
    { name: "facets q drill acme", paths: [`/assets/facets?${search("drill acme")}`] },
    { name: "facets q acme borealis", paths: [`/assets/facets?${search("acme borealis")}`] },
  ];
}

/** For each filter, the value that most assets of a sample have. */
function commonValues(sample: readonly Row[]): (filter: (typeof filters)[number]) => string {
  return (filter) => {
    const values = Map.groupBy(sample, (row) => row[`${filter}_id`] ?? "");
    values.delete("");
    const [most] = [...values].toSorted(([, one], [, other]) => other.length - one.length);
    if (most === undefined) throw new Error(`no asset has a ${filter}`);
    return most[0];
  };
}
