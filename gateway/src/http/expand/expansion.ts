import { NameService as IdentityNames } from "@asset-register/proto/assetregister/identity/v1/name_pb";
import { NameService as RegisterNames } from "@asset-register/proto/assetregister/register/v1/name_pb";
import { NameService as TaggingNames } from "@asset-register/proto/assetregister/tagging_ingest/v1/name_pb";
import type { CallOptions } from "@asset-register/rpc";
import type { DescMethod } from "@bufbuild/protobuf";
import Type, { type TSchema } from "typebox";
import type { Clients } from "../../clients.ts";
import { expandValues, type IdProperty, idProperties, prefixOf, type Schema } from "./id-properties.ts";
import { type Named, resolveNames } from "./names.ts";

/** The parameter `expand` of a route, and what it adds to a response. */
export type Expansion = {
  /** The parameter. None if there is nothing to expand. */
  query: Type.TProperties;
  /** The RPCs that it calls. */
  rpcs: readonly DescMethod[];
  /** Adds the names that `values` ask for to a presented record, or list of records. */
  addNames(presented: unknown, values: readonly string[], options: CallOptions): Promise<void>;
};

/** Of surface A, and of routes without ids. */
export const noExpansion: Expansion = { query: {}, rpcs: [], addNames: () => Promise.resolve() };

/** Where ids are in the value of a schema. */
type Node = { ids: IdProperty[]; inner: [name: string, Node][]; items: Node | undefined };

/** An object with ids, and those of them that are wanted. */
type Holder = { object: Record<string, unknown>; property: IdProperty; wanted: ReadonlySet<string> };

/**
 * The expansion of responses that contain values of `schema`, whose ids it finds by itself. `own` are further values of
 * the route: it adds their properties itself.
 */
export function expansionOf(clients: Clients, schema: TSchema, own: readonly string[] = []): Expansion {
  const node = nodeOf([schema]);
  const named = new Set(node && valuesIn(node));
  const values = [...expandValues.filter((value) => named.has(value)), ...own];
  return {
    query: values.length === 0 ? {} : { expand: expandQuery(values) },
    rpcs: named.size === 0 ? [] : nameRpcs,
    async addNames(presented, asked, options) {
      const wanted = new Set(asked);
      const holders: Holder[] = [];
      if (node) collect(node, presented, wanted, holders);
      const ids = new Set(holders.flatMap((holder) => [...holder.wanted]));
      const names = await resolveNames(clients, ids, options);
      for (const holder of holders) addTo(holder, names);
    },
  };
}

const nameRpcs = [RegisterNames, IdentityNames, TaggingNames].map(({ method }) => method.resolveNames);

/** Values separated by commas, which the validator splits. */
const expandQuery = (values: readonly string[]) =>
  Type.Optional(
    Type.Unsafe<string[]>({
      type: "array",
      minItems: 1,
      items: { type: "string", enum: values },
      style: "form",
      explode: false,
      description: "Adds an object with the name beside each id of these kinds",
    }),
  );

/** The ids in values that match any of the schemas. Undefined if there are none. */
function nodeOf(schemas: readonly Schema[]): Node | undefined {
  const branches = schemas.flatMap((schema) => schema.anyOf ?? [schema]);
  const byTarget = new Map(branches.flatMap(idProperties).map((one) => [one.target, one]));
  const properties = branches.flatMap((branch) => Object.entries(branch.properties ?? {}));
  const byName = Map.groupBy(properties, ([name]) => name);
  const inner = [...byName].flatMap(([name, found]): [string, Node][] => {
    const node = nodeOf(found.map(([, schema]) => schema));
    return node === undefined ? [] : [[name, node]];
  });
  const itemSchemas = branches.flatMap(({ items }) => items ?? []);
  const items = itemSchemas.length === 0 ? undefined : nodeOf(itemSchemas);
  if (byTarget.size === 0 && inner.length === 0 && items === undefined) return undefined;
  return { ids: [...byTarget.values()], inner, items };
}

function valuesIn({ ids, inner, items }: Node): string[] {
  const below = [...inner.map(([, node]) => node), ...(items ? [items] : [])];
  return [...ids.flatMap(({ values }) => [...values.values()].flat()), ...below.flatMap(valuesIn)];
}

/** Finds the objects in `value` with ids that may be of the wanted kinds. */
function collect(node: Node, value: unknown, wanted: ReadonlySet<string>, holders: Holder[]): void {
  if (Array.isArray(value)) {
    // A node of records is used for lists of them too.
    for (const item of value) collect(node.items ?? node, item, wanted, holders);
    return;
  }
  if (!isObject(value)) return;
  for (const property of node.ids) {
    const isNamed = (prefix: string) => property.values.get(prefix)?.some((one) => wanted.has(one)) ?? false;
    if (!(property.name in value) || ![...property.values.keys()].some(isNamed)) continue;
    const ids = idsOf(value[property.name]).filter((id) => isNamed(prefixOf(id)));
    holders.push({ object: value, property, wanted: new Set(ids) });
  }
  for (const [name, inner] of node.inner) collect(inner, value[name], wanted, holders);
}

const idsOf = (value: unknown): string[] =>
  [value].flat().filter((id): id is string => typeof id === "string");

function addTo({ object, property, wanted }: Holder, names: ReadonlyMap<string, Named>): void {
  const { name, target, form } = property;
  const found = idsOf(object[name]).map((id) => (wanted.has(id) ? names.get(id) : undefined) ?? null);
  const [only = null] = found;
  object[target] = form === "list" ? found : form === "actor" ? (only?.name ?? null) : only;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null;
