import type { FastifyInstance } from "fastify";
import Type from "typebox";
import { declared } from "./http/routes.ts";

/**
 * The address of a label leads to its page in the console (console-web.md). The answer is the same for every code:
 * nothing is looked up before sign-in.
 */
export function labelRedirect(app: FastifyInstance, publicUrl: string): void {
  const schema = { params: Type.Object({ code: Type.String() }) };
  app.get<{ Params: { code: string } }>(
    "/t/:code",
    { config: declared({ public: true }), schema },
    (request, reply) => reply.redirect(`${publicUrl}/app/t/${encodeURIComponent(request.params.code)}`, 302),
  );
}
