import type { DescMessage, DescMethodUnary, MessageInitShape, MessageShape } from "@bufbuild/protobuf";
import { FieldMaskSchema } from "@bufbuild/protobuf/wkt";
import type { FastifyInstance } from "fastify";
import Type from "typebox";
import type { Clients } from "../clients.ts";
import { accepted, callerOf, forward } from "./context.ts";
import { fieldOfType } from "./fields.ts";
import type { MergePatch } from "./merge-patch.ts";
import { type Beside, postRoutes } from "./post-routes.ts";
import { fieldWith, surfaces } from "./read-routes.ts";
import { required } from "./required.ts";
import type { Resource } from "./resource.ts";
import { declared, type RouteAccess } from "./routes.ts";
import { idParams } from "./schemas.ts";
import type { Fields } from "./writable.ts";

type WriteRoute<I extends DescMessage, O extends DescMessage> = {
  summary: string;
  access: RouteAccess;
  rpc: DescMethodUnary<I, O>;
  /** Fields of the request that are constant. */
  request?: MessageInitShape<I>;
};

type Path = { id: string };

/**
 * Registers routes that create, change or delete a record, on surface A or B. If-Match is passed on.
 *
 * @throws Error at boot when the request of the RPC lacks the record or its mask, or when its response lacks the record
 */
export function writeRoutes(app: FastifyInstance, clients: Clients, surface: keyof typeof surfaces) {
  const { recordSchema, presentRecord } = surfaces[surface];
  return {
    ...postRoutes(app, clients, surface),

    /** PATCH with a JSON merge patch. The request of the RPC has the record, with its id, and the `update_mask`. */
    patch<
      I extends DescMessage,
      O extends DescMessage,
      D extends DescMessage,
      P extends Fields,
      Q extends Type.TProperties,
    >(
      url: string,
      route: WriteRoute<I, O> & {
        record: Resource<D, P>;
        patch: MergePatch<D, Q>;
        beside?: Beside<O, Parameters<MergePatch<D, Q>["toUpdate"]>[0]>;
        /** Whether long work on the changed record continues: then the status is 202. */
        continues?: (changed: MessageShape<D>) => boolean;
      },
    ): void {
      const { summary, access, rpc, request: constant, record, patch, beside, continues } = route;
      const recordField = fieldOfType(rpc.input, record.desc).localName;
      const maskField = fieldOfType(rpc.input, FieldMaskSchema).localName;
      const recordOf = fieldWith(record.desc, rpc.output);
      const answered = recordSchema(beside?.schema ?? record.schema);
      const schema = {
        summary,
        params: idParams,
        body: patch.schema,
        response: { 200: answered, ...(continues && { 202: answered }) },
      };
      app.patch<{ Params: Path; Body: object }>(
        url,
        { config: declared(access, rpc), schema },
        async (request, reply) => {
          const caller = callerOf(request);
          const given = request.body as Parameters<typeof patch.toUpdate>[0];
          const update = patch.toUpdate(given, caller);
          const message = {
            ...constant,
            [recordField]: { ...update.record, id: request.params.id },
            [maskField]: update.updateMask,
          } as MessageInitShape<I>;
          const response = await clients.call(rpc, message, forward(request, reply));
          const changed = required(recordOf(response)) as MessageShape<D>;
          if (continues?.(changed)) accepted(reply, app.prefix + url.replace(":id", request.params.id));
          const presented = record.present(changed, caller.currencyDigits) as object;
          return presentRecord({ ...presented, ...beside?.present(response, given) });
        },
      );
    },

    /** DELETE. The id in the path is the field `id` of the RPC's request. */
    remove<I extends DescMessage, O extends DescMessage>(url: string, route: WriteRoute<I, O>): void {
      const { summary, access, rpc, request: constant } = route;
      const schema = { summary, params: idParams, response: { 204: Type.Null() } };
      app.delete<{ Params: Path }>(url, { config: declared(access, rpc), schema }, async (request, reply) => {
        const message: object = { ...constant, id: request.params.id };
        await clients.call(rpc, message as MessageInitShape<I>, forward(request, reply));
        reply.code(204);
        return null;
      });
    },
  };
}
