import fp from "fastify-plugin";
import Type from "typebox";

const NO_PARAMETERS = Type.Object({});
const CLOSED = { additionalProperties: false };

/**
 * A query string takes the parameters that its route declares and no other: a
 * filter that is misspelt, or written as an operator (`name[$ne]=1`), must not
 * answer as if it had not been asked for.
 */
export const queries = fp(async (app) => {
  app.addHook("onRoute", (route) => {
    const querystring = Object.assign({}, route.schema?.querystring ?? NO_PARAMETERS, CLOSED);
    route.schema = { ...route.schema, querystring };
  });
});
