import Type, { type TSchema } from "typebox";
import { expect, test } from "vitest";
import { silentServer } from "../../test/silent-server.ts";
import { declared } from "../http/routes.ts";
import { body } from "../http/schemas.ts";
import { documents, openapi } from "./document.ts";
import { documentOfA } from "./surfaces.ts";

/** Boots a surface with one route for each schema, which is the schema of its response. */
async function boot(...responses: TSchema[]) {
  const app = await silentServer();
  await app.register(documents);
  await app.register(openapi, { surface: documentOfA });
  for (const [index, response] of responses.entries()) {
    const schema = { body: body({ name: Type.String() }, { title: "New" }), response: { 200: response } };
    app.post(`/assets/${index}`, { config: declared({ public: true }), schema }, async () => ({}));
  }
}

const thing = (name: TSchema) => Type.Object({ name }, { title: "Thing" });

test("boot fails for two different schemas with the same title, at any depth", async () => {
  const other = thing(Type.Integer());
  const message = "Two different schemas have the title Thing";
  await expect(boot(thing(Type.String()), other)).rejects.toThrow(message);
  await expect(boot(thing(Type.String()), Type.Array(other))).rejects.toThrow(message);
  await expect(boot(Type.Object({}, { title: "Error" }))).rejects.toThrow("the title Error");
});

test("a schema with a title may be used by several routes", async () => {
  await boot(thing(Type.String()), thing(Type.String()));
});
