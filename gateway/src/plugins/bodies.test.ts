import { createLogger } from "@asset-register/runtime";
import Type from "typebox";
import { expect, test } from "vitest";
import { declared } from "../http/routes.ts";
import { body } from "../http/schemas.ts";
import { createHttpServer } from "../server.ts";

const MERGE_PATCH = "application/merge-patch+json";

/** A thing that can be made, replaced and patched, each answering what it was sent. */
async function things() {
  const app = await createHttpServer({
    logger: createLogger({ service: "test", level: "silent" }),
    maxConnections: 100,
  });
  const config = { ...declared({ public: true }), unconditional: "a test's" };
  const schema = { body: body({ name: Type.Optional(Type.String()) }) };
  for (const method of ["POST", "PUT", "PATCH", "DELETE"]) {
    const route = { method, url: "/thing", config, ...(method !== "DELETE" && { schema }) };
    app.route({ ...route, handler: async ({ body }) => body ?? {} });
  }
  return (
    method: "POST" | "PUT" | "PATCH" | "DELETE",
    type: string,
    payload = '{"name":"x"}',
    url = "/thing",
  ) => app.inject({ method, url, headers: { "content-type": type }, payload });
}

test.each([MERGE_PATCH, `${MERGE_PATCH}; charset=utf-8`, "application/json"])(
  "PATCH takes %s",
  async (type) => {
    const send = await things();
    const answer = await send("PATCH", type);
    expect([answer.statusCode, answer.json()]).toEqual([200, { name: "x" }]);
    expect((await send("PATCH", type, '{"colour":1}')).statusCode).toBe(422);
    expect((await send("PATCH", type, "{")).statusCode).toBe(400);
    expect((await send("PATCH", type, '{"__proto__":{}}')).statusCode).toBe(400);
    expect((await send("PATCH", type, "")).json()).toEqual({});
  },
);

test.each(["POST", "PUT", "DELETE"] as const)("%s takes no merge patch", async (method) => {
  const answer = await (await things())(method, MERGE_PATCH);
  expect([answer.statusCode, answer.json()]).toMatchObject([415, { code: "UNSUPPORTED_MEDIA_TYPE" }]);
  expect(answer.headers["accept-patch"]).toBeUndefined();
});

test("PATCH tells what it takes, above all when it was sent something else", async () => {
  const send = await things();
  const refused = await send("PATCH", "application/json-patch+json", "[]");
  expect([refused.statusCode, refused.json()]).toMatchObject([415, { code: "UNSUPPORTED_MEDIA_TYPE" }]);
  for (const { headers } of [refused, await send("PATCH", MERGE_PATCH)]) {
    expect(headers["accept-patch"]).toBe(`${MERGE_PATCH}, application/json`);
  }
  const nowhere = await send("PATCH", MERGE_PATCH, "{}", "/nowhere");
  expect([nowhere.statusCode, nowhere.headers["accept-patch"]]).toEqual([404, undefined]);
});
