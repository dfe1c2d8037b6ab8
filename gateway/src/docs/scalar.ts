import Fastify from "fastify";

/**
 * A library in it tries whether it may make code from text, and does without when it may
 * not; told so before, it does not try, and no browser reports a breach of our policy.
 */
const NO_EVAL = "globalThis.__zod_globalConfig = { jitless: true };\n";

/**
 * The program of the reference page. Its package carries it as a text that its own
 * plugin serves; that plugin's routes declare nothing and its page needs an inline
 * script, so that the text is asked of it once and served by us.
 */
export async function scalarBundle(): Promise<string> {
  const { default: scalar } = await import("@scalar/fastify-api-reference");
  const source = Fastify();
  await source.register(scalar, { routePrefix: "/", configuration: { url: "/" } });
  const { statusCode, body } = await source.inject("/js/scalar.js");
  await source.close();
  if (statusCode !== 200) throw new Error(`The package of the reference page answers ${statusCode}`);
  return NO_EVAL + body;
}
