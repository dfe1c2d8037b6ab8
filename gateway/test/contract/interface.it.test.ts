import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Document, Operation } from "../../src/openapi/types.ts";
import { fetchDocument, operationsOf } from "../documents.ts";
import { startGateway, type TestGateway } from "../gateway.ts";
import { accessOf, parametersOf } from "./described.ts";
import { PLACE, readInterface } from "./interface-document.ts";
import { expanded, interfaceRows, nameOf, ourRows, type Row } from "./interface-rows.ts";
import { later } from "./later.ts";

const rows = expanded([...interfaceRows, ...ourRows]);

let gateway: TestGateway;
let documents: Record<Row["surface"], Document>;
/** By the name of its row. */
const routed = new Map<string, Operation>();

beforeAll(async () => {
  gateway = await startGateway();
  documents = {
    a: await fetchDocument(gateway.url, "surface-a"),
    b: await fetchDocument(gateway.url, "surface-b"),
  };
  for (const surface of ["a", "b"] as const) {
    for (const { method, path, operation } of operationsOf(documents[surface])) {
      routed.set(`${surface} ${method} ${path}`, operation);
    }
  }
});
afterAll(() => gateway.stop());

/** What the documents say of a row, and what it should be. */
function check(row: Row) {
  const name = nameOf(row);
  const operation = routed.get(name);
  if (operation === undefined) return { name, missing: [name], access: row.access };
  const described = parametersOf(operation, documents[row.surface]);
  const inPath = [...row.path.matchAll(/\{(\w+)\}/g)].map(([, parameter = ""]) => parameter);
  const missing = [...inPath, ...row.parameters]
    .filter((parameter) => !described.has(parameter))
    .map((parameter) => `${name} ${parameter}`);
  return { name, missing, access: accessOf(operation) };
}

/** What a route's declaration can't tell apart: who owns a session is its RPC's to judge, as is a refresh token. */
const asDeclared: Record<string, string> = { "own or admin": "signed in", "refresh token": "public" };

describe("the rows of the interface, and ours", () => {
  test("are routed with their parameters by name, or listed as to come, never both", () => {
    const missing = new Set(rows.flatMap((row) => check(row).missing));
    expect([...missing].filter((name) => !later.has(name))).toEqual([]);
    expect([...later].filter((name) => !missing.has(name))).toEqual([]);
  });

  test("are open to whom they say", () => {
    for (const row of rows) {
      const { name, access } = check(row);
      expect({ name, access: asDeclared[access] ?? access }).toEqual({
        name,
        access: asDeclared[row.access] ?? row.access,
      });
    }
  });

  test("are all that is routed", () => {
    const named = new Set(rows.map(nameOf));
    expect([...routed.keys()].filter((name) => !named.has(name))).toEqual([]);
    const pages = /^\/(docs|openapi)(\/|$)/;
    const surfaces = gateway.routes.filter(({ url }) => !pages.test(url));
    expect(surfaces.length).toBe(routed.size);
  });
});

const shown = readInterface();

test("the rows are those of the interface", ({ skip }) => {
  // The reporter prints why.
  if (shown === undefined) skip(`${PLACE} is not there: the transcription is not held against it`);
  const form = ({
    surface,
    path,
    access,
    parameters,
  }: Pick<Row, "surface" | "path" | "access" | "parameters">) =>
    `${surface} ${path} | ${surface === "a" ? "" : access} | ${parameters.toSorted().join(" ")}`;
  const written = interfaceRows.map((row) =>
    form({ ...row, path: row.surface === "a" ? `${row.method} ${row.path}` : row.path }),
  );
  expect(written.toSorted()).toEqual(shown?.map(form).toSorted());
});
