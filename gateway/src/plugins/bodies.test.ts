import Type from "typebox";
import { expect, test } from "vitest";
import { silentServer } from "../../test/silent-server.ts";
import { declared } from "../http/routes.ts";
import { body } from "../http/schemas.ts";

const MERGE_PATCH = "application/merge-patch+json";

/** A server whose route has all methods with a body and returns the body that it received. */
async function startEcho() {
  const app = await silentServer();
  const config = { ...declared({ public: true }), unconditional: "only for this test" };
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
  "PATCH accepts %s",
  async (type) => {
    const send = await startEcho();
    const response = await send("PATCH", type);
    expect([response.statusCode, response.json()]).toEqual([200, { name: "x" }]);
    expect((await send("PATCH", type, '{"colour":1}')).statusCode).toBe(422);
    expect((await send("PATCH", type, "{")).statusCode).toBe(400);
    expect((await send("PATCH", type, '{"__proto__":{}}')).statusCode).toBe(400);
    expect((await send("PATCH", type, "")).json()).toEqual({});
  },
);

test.each(["POST", "PUT", "DELETE"] as const)("%s refuses a merge patch with 415", async (method) => {
  const response = await (await startEcho())(method, MERGE_PATCH);
  expect([response.statusCode, response.json()]).toMatchObject([415, { code: "UNSUPPORTED_MEDIA_TYPE" }]);
  expect(response.headers["accept-patch"]).toBeUndefined();
});

test("PATCH reports its content types in Accept-Patch, also when it refuses another one", async () => {
  const send = await startEcho();
  const refused = await send("PATCH", "application/json-patch+json", "[]");
  expect([refused.statusCode, refused.json()]).toMatchObject([415, { code: "UNSUPPORTED_MEDIA_TYPE" }]);
  for (const { headers } of [refused, await send("PATCH", MERGE_PATCH)]) {
    expect(headers["accept-patch"]).toBe(`${MERGE_PATCH}, application/json`);
  }
  const nowhere = await send("PATCH", MERGE_PATCH, "{}", "/nowhere");
  expect([nowhere.statusCode, nowhere.headers["accept-patch"]]).toEqual([404, undefined]);
});
