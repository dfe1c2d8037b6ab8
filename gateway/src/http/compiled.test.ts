import { SerializerSelector } from "@fastify/fast-json-stringify-compiler";
import { afterAll, expect, test } from "vitest";
import { buildUnstarted } from "../unstarted.ts";
import { validatorCompiler } from "./validator.ts";

// A gateway compiles a schema when a request needs it. So a schema that can't be compiled is found here.

const gateway = await buildUnstarted();
afterAll(() => gateway.stop());
const { routes } = gateway;
const validator = validatorCompiler();
const serializer = SerializerSelector()();

test("the schemas of the requests of all routes can be compiled", () => {
  expect(routes.length).toBeGreaterThan(300);
  for (const { method, url, schema } of routes)
    for (const httpPart of ["params", "querystring", "headers", "body"] as const) {
      const part = schema[httpPart];
      // The form of an upload is no body for Fastify.
      const isForm = httpPart === "body" && schema.consumes !== undefined;
      if (part === undefined || part === null || isForm) continue;
      const validate = validator({ schema: part, method, url, httpPart });
      // A body that is wrong is compiled twice: for the check, and for its errors.
      const wrong = httpPart === "body" ? null : {};
      expect(() => validate(wrong), `${method} ${url} ${httpPart}`).not.toThrow();
    }
});

test("the schemas of the answers of all routes can be compiled", () => {
  for (const { method, url, schema } of routes)
    for (const [httpStatus, answer] of Object.entries(schema.response ?? {})) {
      const compile = () => serializer({ schema: answer, method, url, httpStatus });
      expect(compile, `${method} ${url} ${httpStatus}`).not.toThrow();
    }
});
