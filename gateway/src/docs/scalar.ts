import Fastify from "fastify";

/**
 * Stops Zod, a library inside Scalar, from testing whether it may create functions from text. Our
 * Content-Security-Policy forbids that, and browsers would report each test as a violation.
 */
const NO_EVAL = "globalThis.__zod_globalConfig = { jitless: true };\n";

/**
 * The script of Scalar, which shows the reference page. The package offers it only through a Fastify plugin of its
 * own. The gateway can't use that plugin: its routes declare no access, and its page needs an inline script. So the
 * script is read from the plugin once and served by the gateway.
 *
 * @throws Error when the plugin does not serve the script
 */
export async function scalarBundle(): Promise<string> {
  const { default: scalar } = await import("@scalar/fastify-api-reference");
  const source = Fastify();
  await source.register(scalar, { routePrefix: "/", configuration: { url: "/" } });
  const { statusCode, body } = await source.inject("/js/scalar.js");
  await source.close();
  if (statusCode !== 200)
    throw new Error(`@scalar/fastify-api-reference answers ${statusCode} for its script`);
  return NO_EVAL + body;
}
