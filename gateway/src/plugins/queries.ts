import fp from "fastify-plugin";
import Type from "typebox";

const NO_PARAMETERS = Type.Object({});
const CLOSED = { additionalProperties: false };

/**
 * Refuses query parameters that the route does not declare. Otherwise a filter that is misspelt or written as an
 * operator (`name[$ne]=1`) would be ignored, and the list would contain everything.
 */
export const queries = fp(async (app) => {
  app.addHook("onRoute", (route) => {
    if (route.config?.anyQuery) return;
    const querystring = Object.assign({}, route.schema?.querystring ?? NO_PARAMETERS, CLOSED);
    route.schema = { ...route.schema, querystring };
  });
});
