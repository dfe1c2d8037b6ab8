import type { DescMessage, DescMethodUnary, MessageInitShape, MessageShape } from "@bufbuild/protobuf";
import type { FastifyInstance } from "fastify";
import type Type from "typebox";
import type { TSchema } from "typebox";
import type { Clients } from "../clients.ts";
import type { Caller } from "../credentials.ts";
import { renameFields } from "../errors.ts";
import { accepted, callerOf, created, forward } from "./context.ts";
import { fieldWith, type Row, surfaces } from "./read-routes.ts";
import { required } from "./required.ts";
import { declared, type RouteAccess } from "./routes.ts";
import { idParams } from "./schemas.ts";

/** The part of a response besides the record, and the schema of both. */
export type Beside<O extends DescMessage, B> = {
  schema: TSchema;
  present(response: MessageShape<O>, body: B): object;
};

type PostRoute<I extends DescMessage, O extends DescMessage, D extends DescMessage, B extends TSchema> = {
  summary: string;
  description?: string;
  access: RouteAccess;
  /** Why no If-Match is compared (routes.ts). */
  unconditional?: string;
  rpc: DescMethodUnary<I, O>;
  /** The type of record that the response is. */
  record: Row<D>;
  body?: B;
  /** The fields of the request that depend on the body. `id` is that in the path. */
  toRequest?: (body: Type.Static<B>, caller: Caller, id: string) => MessageInitShape<I>;
  /** The fields of the request that depend only on the id in the path. */
  path?: (id: string) => MessageInitShape<I>;
  beside?: Beside<O, Type.Static<B>>;
  /** Properties of the body by the names that the RPC's errors have for them. */
  renamed?: Readonly<Record<string, string>>;
  /** Whether long work on the record continues: then the status is 202. */
  continues?: (record: MessageShape<D>) => boolean;
  /** The message of the envelope on surface A. "OK" by default. */
  message?: string;
};

type CreateRoute<O extends DescMessage> = {
  /** The path of the collection that the record is in, if it is not the first part of the route's own. */
  collection?: string;
  /** Whether the record is new. If it is not, the status is 200. */
  isNew?: (response: MessageShape<O>) => boolean;
};

type How<O extends DescMessage> = CreateRoute<O> & {
  statuses: number[];
  path?: (id: string) => object;
};

type Path = { id: string };

/**
 * Registers POST routes whose response is one record, on surface A or B.
 *
 * @throws Error at boot when the response of the RPC lacks the record
 */
export function postRoutes(app: FastifyInstance, clients: Clients, surface: keyof typeof surfaces) {
  const { recordSchema, presentRecord } = surfaces[surface];

  function post<I extends DescMessage, O extends DescMessage, D extends DescMessage, B extends TSchema>(
    url: string,
    route: PostRoute<I, O, D, B>,
    { statuses, path, isNew, collection = url.split("/:id")[0] }: How<O>,
  ): void {
    const { summary, description, access, unconditional, rpc, record, body, beside, continues, renamed } =
      route;
    const recordOf = fieldWith(record.desc, rpc.output);
    const response = recordSchema(beside?.schema ?? record.schema);
    const schema = {
      summary,
      ...(description !== undefined && { description }),
      ...(url.includes(":id") && { params: idParams }),
      ...(body && { body }),
      response: Object.fromEntries(
        [...statuses, ...(continues ? [202] : [])].map((code) => [code, response]),
      ),
    };
    const config = { ...declared(access, rpc), ...(unconditional !== undefined && { unconditional }) };
    app.post<{ Params: Path; Body: unknown }>(url, { config, schema }, async (request, reply) => {
      const caller = callerOf(request);
      const { id } = request.params;
      // The request was validated against the schema.
      const given = request.body as Type.Static<B>;
      const message = { ...route.toRequest?.(given, caller, id), ...path?.(id) };
      const called = clients.call(rpc, message as MessageInitShape<I>, forward(request, reply));
      const answer = await (renamed ? called.catch(renameFields(renamed)) : called);
      const found = required(recordOf(answer)) as MessageShape<D> & Path;
      const address = `${app.prefix}${collection}/${found.id}`;
      if (continues?.(found)) accepted(reply, address);
      else if (isNew?.(answer)) created(reply, address);
      const presented = record.present(found, caller.currencyDigits) as object;
      return presentRecord({ ...presented, ...beside?.present(answer, given) }, route.message);
    });
  }

  return {
    /** POST that creates a record: 201 with its path in `Location`. */
    create<I extends DescMessage, O extends DescMessage, D extends DescMessage, B extends TSchema>(
      url: string,
      route: PostRoute<I, O, D, B> & CreateRoute<O>,
    ): void {
      const statuses = route.isNew === undefined ? [201] : [200, 201];
      post(url, route, { isNew: () => true, ...route, statuses });
    },

    /** POST that does something with a record. The id in the path is the field `id` of the request, unless `path` is given. */
    act<I extends DescMessage, O extends DescMessage, D extends DescMessage, B extends TSchema>(
      url: string,
      route: PostRoute<I, O, D, B>,
    ): void {
      post(url, route, { statuses: [200], path: (id) => ({ id }), ...route });
    },
  };
}
