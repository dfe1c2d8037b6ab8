import type { DescMessage, DescMethodUnary, MessageInitShape, MessageShape } from "@bufbuild/protobuf";
import type { FastifyInstance } from "fastify";
import Type from "typebox";
import type { Clients } from "../clients.ts";
import { forward } from "./context.ts";
import { expansionOf } from "./expand/expansion.ts";
import { fieldOf } from "./fields.ts";
import { fieldWith, type Row } from "./read-routes.ts";
import { declared, type RouteAccess } from "./routes.ts";
import { idParams, pageQueryB, toPageB } from "./schemas.ts";

/** A list whose rows nobody counts. Its RPC takes a page with a cursor, and its response has `next_cursor`. */
type CursorRoute<I extends DescMessage, O extends DescMessage, D extends DescMessage> = {
  summary: string;
  description?: string;
  access: RouteAccess;
  rpc: DescMethodUnary<I, O>;
  record: Row<D>;
  /** The parameters of a list in a time. */
  query?: Record<keyof Span, Type.TSchema>;
  /** The request without its page, of the id in the path and the time. */
  toRequest: (id: string, query: Span) => MessageInitShape<I>;
};

type Span = { from?: string; to?: string };
type Query = Span & { per_page: number; cursor?: string; expand?: string[] };

const { cursor, per_page } = pageQueryB;

/**
 * Registers GET of a list of surface B that has cursors, but neither pages nor a total.
 *
 * @throws Error at boot when the response of the RPC lacks the record or `next_cursor`
 */
export function cursorList<I extends DescMessage, O extends DescMessage, D extends DescMessage>(
  app: FastifyInstance,
  clients: Clients,
  url: string,
  route: CursorRoute<I, O, D>,
): void {
  const { summary, description, access, rpc, record, query, toRequest } = route;
  fieldOf(rpc.output, "next_cursor");
  const expansion = expansionOf(clients, record.schema);
  const recordsOf = fieldWith(record.desc, rpc.output);
  const schema = {
    summary,
    ...(description !== undefined && { description }),
    params: idParams,
    querystring: Type.Object({ ...query, per_page, cursor, ...expansion.query }),
    response: { 200: Type.Object({ data: Type.Array(record.schema), next_cursor }) },
  };
  app.get<{ Params: { id: string }; Querystring: Query }>(
    url,
    { config: declared(access, rpc, ...expansion.rpcs), schema },
    async (request, reply) => {
      const message: object = {
        ...toRequest(request.params.id, request.query),
        page: toPageB(request.query),
      };
      const response = await clients.call(rpc, message as MessageInitShape<I>, forward(request, reply));
      const data = (recordsOf(response) as MessageShape<D>[]).map((one) => record.present(one));
      const { expand } = request.query;
      if (expand !== undefined) await expansion.addNames(data, expand, forward(request, reply));
      const { nextCursor } = response as { nextCursor?: string };
      return { data, ...(nextCursor !== undefined && { next_cursor: nextCursor }) };
    },
  );
}

const next_cursor = Type.Optional(
  Type.String({
    description: "Pass it as `cursor` to get the next page; absent on the last page",
    examples: ["WyJrIiwiaWQiLDIsImFzdCJd"],
  }),
);
