import { createLogger } from "@asset-register/runtime";
import Type, { type TSchema } from "typebox";
import { expect, test } from "vitest";
import { declared } from "../http/routes.ts";
import { body } from "../http/schemas.ts";
import { createHttpServer } from "../server.ts";
import { documents, openapi } from "./document.ts";
import { documentOfA } from "./surfaces.ts";

/** A surface whose routes answer these. */
async function answering(...answers: TSchema[]) {
  const app = await createHttpServer({
    logger: createLogger({ service: "test", level: "silent" }),
    maxConnections: 100,
  });
  await app.register(documents);
  await app.register(openapi, { surface: documentOfA });
  for (const [index, answer] of answers.entries()) {
    const schema = { body: body({ name: Type.String() }, { title: "New" }), response: { 200: answer } };
    app.post(`/assets/${index}`, { config: declared({ public: true }), schema }, async () => ({}));
  }
}

const thing = (name: TSchema) => Type.Object({ name }, { title: "Thing" });

test("two different schemas with one title don't boot, wherever they stand", async () => {
  const other = thing(Type.Integer());
  const twice = "Two different schemas have the title Thing";
  await expect(answering(thing(Type.String()), other)).rejects.toThrow(twice);
  await expect(answering(thing(Type.String()), Type.Array(other))).rejects.toThrow(twice);
  await expect(answering(Type.Object({}, { title: "Error" }))).rejects.toThrow("the title Error");
});

test("one that is used twice does", async () => {
  await answering(thing(Type.String()), thing(Type.String()));
});
