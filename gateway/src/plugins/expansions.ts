import fp from "fastify-plugin";
import { type OwnProperties, schemaExpander } from "../http/expand/expanded-schema.ts";

/**
 * Adds to the schemas of all responses the optional properties that `expand` adds. Also to those of routes without the
 * parameter: a type of record has one schema on a surface.
 */
export const expansions = fp<{ own?: OwnProperties }>(async (app, { own }) => {
  const expanded = schemaExpander(own);
  app.addHook("onRoute", ({ schema }) => {
    if (!isObject(schema?.response)) return;
    const responses = Object.entries(schema.response);
    schema.response = Object.fromEntries(
      responses.map(([status, response]) => [status, isObject(response) ? expanded(response) : response]),
    );
  });
});

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null;
