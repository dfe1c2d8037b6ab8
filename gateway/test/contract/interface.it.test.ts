import { afterAll, describe, expect, test } from "vitest";
import type { Operation } from "../../src/openapi/types.ts";
import { fetchDocument, operationsOf } from "../documents.ts";
import { startGateway } from "../gateway.ts";
import { INTERFACE_PATH, readInterface } from "./interface-document.ts";
import { expanded, interfaceRows, nameOf, ourRows, type Row } from "./interface-rows.ts";
import { accessOf, parametersOf } from "./operation.ts";

const rows = expanded([...interfaceRows, ...ourRows]);

/** The operations of both documents, by the name of their row. */
const routed = new Map<string, Operation>();

const gateway = await startGateway();
const documents = {
  a: await fetchDocument(gateway.url, "surface-a"),
  b: await fetchDocument(gateway.url, "surface-b"),
};
for (const surface of ["a", "b"] as const) {
  for (const { method, path, operation } of operationsOf(documents[surface])) {
    routed.set(`${surface} ${method} ${path}`, operation);
  }
}
afterAll(() => gateway.stop());

/** The parameters of a row that the documents lack, and the access that they give it. */
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

/** Access that the declaration of a route does not express: the RPC checks who owns a session, and the refresh token. */
const asDeclared: Record<string, string> = { "own or admin": "signed in", "refresh token": "public" };

describe("the rows of the interface and our own rows", () => {
  test("every row and each of its parameters is routed", () => {
    expect(rows.flatMap((row) => check(row).missing)).toEqual([]);
  });

  test("every row has the access that it declares", () => {
    for (const row of rows) {
      const { name, access } = check(row);
      expect({ name, access: asDeclared[access] ?? access }).toEqual({
        name,
        access: asDeclared[row.access] ?? row.access,
      });
    }
  });

  test("every route has a row", () => {
    const named = new Set(rows.map(nameOf));
    expect([...routed.keys()].filter((name) => !named.has(name))).toEqual([]);
    const pages = /^\/(docs|openapi|t)(\/|$)/;
    const surfaces = gateway.routes.filter(({ url }) => !pages.test(url));
    expect(surfaces.length).toBe(routed.size);
  });
});

const documented = readInterface();

test("the transcription has exactly the rows of the interface document", ({ skip }) => {
  // The reporter prints the reason.
  if (documented === undefined)
    skip(`${INTERFACE_PATH} is missing: the transcription is not compared with it`);
  const form = ({
    surface,
    path,
    access,
    parameters,
  }: Pick<Row, "surface" | "path" | "access" | "parameters">) =>
    `${surface} ${path} | ${surface === "a" ? "" : access} | ${parameters.toSorted().join(" ")}`;
  const transcribed = interfaceRows.map((row) =>
    form({ ...row, path: row.surface === "a" ? `${row.method} ${row.path}` : row.path }),
  );
  expect(transcribed.toSorted()).toEqual(documented?.map(form).toSorted());
});
