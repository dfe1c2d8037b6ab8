import type { PageInfo } from "@asset-register/proto/assetregister/common/v1/page_pb";
import type { DescMessage, DescMethodUnary, Message, MessageInitShape } from "@bufbuild/protobuf";
import type { FastifyInstance } from "fastify";
import Type, { type TSchema } from "typebox";
import type { Clients } from "../clients.ts";
import { forward } from "./context.ts";
import { presentA, presentListA, presentListB } from "./present.ts";
import { requestMessage } from "./request-message.ts";
import type { Resource } from "./resource.ts";
import { declared, type RouteAccess } from "./routes.ts";
import {
  envelope,
  envelopeList,
  idParams,
  pageOf,
  pageQueryA,
  pageQueryB,
  toPageA,
  toPageB,
} from "./schemas.ts";

/** What the two surfaces have of their own: the query of a page, and the form of answers. */
const styles = {
  a: {
    pageQuery: pageQueryA,
    toPage: toPageA,
    oneOf: (record: TSchema): TSchema => envelope(record),
    listOf: (record: TSchema): TSchema => envelopeList(record),
    presentOne: (record: unknown): unknown => presentA("OK", record),
    presentList: (records: unknown[], page: PageInfo | undefined): unknown =>
      presentListA("OK", records, page),
  },
  b: {
    pageQuery: pageQueryB,
    toPage: toPageB,
    oneOf: (record: TSchema): TSchema => record,
    listOf: (record: TSchema): TSchema => pageOf(record),
    presentOne: (record: unknown): unknown => record,
    presentList: (records: unknown[], page: PageInfo | undefined): unknown => presentListB(records, page),
  },
} as const;

type ReadRoute<I extends DescMessage, D extends DescMessage, P extends Type.TProperties> = {
  summary: string;
  access: RouteAccess;
  rpc: DescMethodUnary<I, DescMessage>;
  /** The record that the answer has, or that its list has. */
  record: Resource<D, P>;
  /** Fields of the request that are the same for every caller. */
  request?: MessageInitShape<I>;
  /** Fields of the request that come from the id in the path. */
  path?: (id: string) => MessageInitShape<I>;
};

/** The routes that only read. `a` and `b` are the surfaces. */
export function readRoutes(app: FastifyInstance, clients: Clients, surface: keyof typeof styles) {
  const style = styles[surface];
  return {
    /** GET of a list. Each property of the query is the field of its name in the request of the RPC. */
    list<I extends DescMessage, D extends DescMessage, P extends Type.TProperties>(
      url: string,
      route: ReadRoute<I, D, P> & { query?: Type.TProperties },
    ): void {
      const { summary, access, rpc, record, request: fixed, path, query = {} } = route;
      const toRequest = requestMessage(rpc.input, Type.Object(query));
      const items = memberOf(rpc.output, record.desc);
      const schema = {
        summary,
        ...(path && { params: idParams }),
        querystring: Type.Object({ ...style.pageQuery, ...query }),
        response: { 200: style.listOf(record.schema) },
      };
      app.get<{ Params: { id: string }; Querystring: PageQuery }>(
        url,
        { config: declared(access, rpc), schema },
        async (request, reply) => {
          const own = { ...toRequest(request.query), ...fixed, ...path?.(request.params.id) };
          const asked = { ...own, page: style.toPage(request.query) };
          const answer = await clients.call(rpc, asked as MessageInitShape<I>, forward(request, reply));
          const { [items]: found, page } = answer as unknown as Record<string, unknown>;
          const digits = request.caller?.currencyDigits;
          const records = (found as Message[]).map((one) => record.present(one as never, digits));
          return style.presentList(records, page as PageInfo | undefined);
        },
      );
    },

    /** GET of one record. The id in the path is the `id` of the request, unless `path` says otherwise. */
    get<I extends DescMessage, D extends DescMessage, P extends Type.TProperties>(
      url: string,
      route: ReadRoute<I, D, P>,
    ): void {
      const { summary, access, rpc, record, request: fixed, path = (id) => ({ id }) as object } = route;
      const member = memberOf(rpc.output, record.desc);
      const schema = { summary, params: idParams, response: { 200: style.oneOf(record.schema) } };
      app.get<{ Params: { id: string } }>(
        url,
        { config: declared(access, rpc), schema },
        async (request, reply) => {
          const asked = { ...fixed, ...path(request.params.id) } as MessageInitShape<I>;
          const answer = await clients.call(rpc, asked, forward(request, reply));
          const { [member]: found } = answer as unknown as Record<string, unknown>;
          return style.presentOne(record.present(found as never, request.caller?.currencyDigits));
        },
      );
    },
  };
}

type PageQuery = Parameters<typeof toPageA>[0] & Parameters<typeof toPageB>[0] & Record<string, unknown>;

/** The field of a response that has the record, or the list of it. */
function memberOf(response: DescMessage, record: DescMessage): string {
  const field = response.fields.find(({ message }) => message?.typeName === record.typeName);
  if (field === undefined) throw new Error(`${response.typeName} has no ${record.typeName}`);
  return field.localName;
}
