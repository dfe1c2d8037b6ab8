import type { PageInfo } from "@asset-register/proto/assetregister/common/v1/page_pb";
import type {
  DescMessage,
  DescMethodUnary,
  Message,
  MessageInitShape,
  MessageShape,
} from "@bufbuild/protobuf";
import type { FastifyInstance } from "fastify";
import Type, { type TSchema } from "typebox";
import type { Clients } from "../clients.ts";
import { forward } from "./context.ts";
import { type Expansion, expansionOf, noExpansion } from "./expand/expansion.ts";
import type { ExpandedRow, OwnExpansion } from "./expand/own-expansion.ts";
import { fieldOfType } from "./fields.ts";
import { presentA, presentListA, presentListB } from "./present.ts";
import { requestMessage } from "./request-message.ts";
import { required } from "./required.ts";
import { type Resource, resource } from "./resource.ts";
import { declared, type RouteAccess } from "./routes.ts";
import {
  envelope,
  envelopeList,
  idParams,
  pageOf,
  pageQueryA,
  pageQueryB,
  sortQuery,
  toPageA,
  toPageB,
} from "./schemas.ts";

/** How the two surfaces differ: the query parameters of a page, and the form of responses. */
export const surfaces = {
  a: {
    pageQuery: pageQueryA,
    toPage: toPageA,
    recordSchema: (record: TSchema): TSchema => envelope(record),
    listSchema: (record: TSchema, also: Type.TProperties): TSchema => envelopeList(record, also),
    presentRecord: (record: unknown, message = "OK"): unknown => presentA(message, record),
    expansionOf: (): Expansion => noExpansion,
    presentList: (records: unknown[], page: PageInfo | undefined, also: object): unknown =>
      presentListA("OK", records, page, also),
  },
  b: {
    pageQuery: pageQueryB,
    toPage: toPageB,
    recordSchema: (record: TSchema): TSchema => record,
    listSchema: (record: TSchema, also: Type.TProperties): TSchema => pageOf(record, also),
    presentRecord: (record: unknown, _message?: string): unknown => record,
    expansionOf,
    presentList: (records: unknown[], page: PageInfo | undefined, also: object): unknown =>
      presentListB(records, page, also),
  },
} as const;

/** A type of record, or of row in a list. */
export type Row<D extends DescMessage> = Pick<Resource<D>, "desc"> & {
  schema: TSchema;
  present(message: MessageShape<D>, currencyDigits?: number): unknown;
};

type ReadRoute<I extends DescMessage, O extends DescMessage, D extends DescMessage> = {
  summary: string;
  access: RouteAccess;
  rpc: DescMethodUnary<I, O>;
  /** The type of record that the response is, or is a list of. */
  record: Row<D>;
  /** Fields of the request that are constant. */
  request?: MessageInitShape<I>;
  /** Fields of the request that depend on the id in the path. */
  path?: (id: string) => MessageInitShape<I>;
  /** Query parameters: each sets the field with the same name in the request. */
  query?: Type.TProperties;
  /** A report: a workspace runs few at once. */
  heavy?: true;
};

type GetParts<O extends DescMessage> = {
  description?: string;
  /** The part of the response besides the record, and the schema of both. */
  beside?: { schema: TSchema; present(response: MessageShape<O>): object };
};

type ListParts<D extends DescMessage> = {
  /** Values of the parameter `sort`, which the RPC's list must have. The first one is the default. */
  sorts?: readonly [string, ...string[]];
  /** Fields of the response beside its records, in `meta` on surface A. They are left out when they are absent. */
  also?: Type.TProperties;
  /** Values of `expand` that only this list has. */
  expands?: readonly OwnExpansion<D>[];
};

/** The sorts of a list whose records have no other order. */
export const byId = ["id", "-id"] as const;

type Path = { id: string };

/** Both surfaces have their own parameters for the page; the other parameters are those of the route. */
type Query = Parameters<typeof toPageA>[0] &
  Parameters<typeof toPageB>[0] &
  Readonly<{ [name: string]: unknown; expand?: string[] }>;

/**
 * Registers routes that only read, on surface A or B.
 *
 * @throws Error at boot when the RPC has no field for a query parameter, or its response none for the record
 */
export function readRoutes(app: FastifyInstance, clients: Clients, surface: keyof typeof surfaces) {
  const { pageQuery, toPage, recordSchema, listSchema, presentRecord, presentList } = surfaces[surface];
  const { expansionOf } = surfaces[surface];
  return {
    /** GET of a list. Each query parameter sets the field with the same name in the RPC's request. */
    list<I extends DescMessage, O extends DescMessage, D extends DescMessage>(
      url: string,
      route: ReadRoute<I, O, D> & ListParts<D>,
    ): void {
      const { summary, access, rpc, record, request: constant, path } = route;
      const { query = {}, sorts, also = {}, heavy, expands = [] } = route;
      const expansion = expansionOf(
        clients,
        record.schema,
        expands.map(({ value }) => value),
      );
      const toRequest = requestMessage(rpc.input, Type.Object(query));
      const recordsOf = fieldWith(record.desc, rpc.output);
      const others = resource(rpc.output, "", also);
      const rpcs = [...expansion.rpcs, ...expands.flatMap(({ rpcs = [] }) => rpcs)];
      const schema = {
        summary,
        ...(path && { params: idParams }),
        querystring: Type.Object({
          ...pageQuery,
          ...(sorts && { sort: sortQuery(sorts) }),
          ...query,
          ...expansion.query,
        }),
        response: { 200: listSchema(record.schema, also) },
      };
      app.get<{ Params: Path; Querystring: Query }>(
        url,
        { config: { ...declared(access, rpc, ...rpcs), ...(heavy && { heavy }) }, schema },
        async (request, reply) => {
          const { expand } = request.query;
          const own = expand === undefined ? [] : expands.filter(({ value }) => expand.includes(value));
          for (const { check } of own) check?.(request.query);
          const fields = { ...toRequest(request.query), ...constant, ...path?.(request.params.id) };
          const message = { ...fields, page: toPage(request.query) } as MessageInitShape<I>;
          const response = await clients.call(rpc, message, forward(request, reply));
          const records = recordsOf(response) as MessageShape<D>[];
          const currencyDigits = request.caller?.currencyDigits;
          const presented = records.map((one) => record.present(one, currencyDigits));
          if (expand !== undefined) {
            const options = forward(request, reply);
            const rows = records.map((one, index) => ({ message: one, record: presented[index] as object }));
            await Promise.all([
              expansion.addNames(presented, expand, options),
              ...own.map(({ add }) => add(rows as ExpandedRow<D>[], options)),
            ]);
          }
          return presentList(
            presented,
            fieldValue(response, "page") as PageInfo | undefined,
            withoutNulls(others.present(response)),
          );
        },
      );
    },

    /** GET of one record. The id in the path is the field `id` of the RPC's request, unless `path` is given. */
    get<I extends DescMessage, O extends DescMessage, D extends DescMessage>(
      url: string,
      route: ReadRoute<I, O, D> & GetParts<O>,
    ): void {
      const { summary, description, access, rpc, record, beside, heavy } = route;
      const { request: constant, path = (id: string) => ({ id }), query = {} } = route;
      const expansion = expansionOf(clients, beside?.schema ?? record.schema);
      const toRequest = requestMessage(rpc.input, Type.Object(query));
      const recordOf = fieldWith(record.desc, rpc.output);
      const schema = {
        summary,
        ...(description !== undefined && { description }),
        ...(url.includes(":id") && { params: idParams }),
        querystring: Type.Object({ ...query, ...expansion.query }),
        response: { 200: recordSchema(beside?.schema ?? record.schema) },
      };
      app.get<{ Params: Path; Querystring: Query }>(
        url,
        { config: { ...declared(access, rpc, ...expansion.rpcs), ...(heavy && { heavy }) }, schema },
        async (request, reply) => {
          const message = { ...toRequest(request.query), ...constant, ...path(request.params.id) };
          const response = await clients.call(rpc, message as MessageInitShape<I>, forward(request, reply));
          const found = required(recordOf(response)) as MessageShape<D>;
          const presented = record.present(found, request.caller?.currencyDigits) as object;
          const shown = { ...presented, ...beside?.present(response) };
          const { expand } = request.query;
          if (expand !== undefined) await expansion.addNames(shown, expand, forward(request, reply));
          return presentRecord(shown);
        },
      );
    },
  };
}

/** Reads the one field of a response whose message, or list of messages, is of type `desc`. */
export function fieldWith(desc: DescMessage, response: DescMessage): (message: Message) => unknown {
  const { localName } = fieldOfType(response, desc);
  return (message) => fieldValue(message, localName);
}

const withoutNulls = (fields: object): object =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));

/** The value of a field that only the descriptor knows. */
const fieldValue = (message: Message, localName: string): unknown =>
  (message as unknown as Record<string, unknown>)[localName];
