import { limits } from "@asset-register/proto/limits";
import { idPrefixesOf } from "../schemas.ts";

/** The values of `expand` that any route may have. Each names a kind of record. */
export const expandValues = [
  ...["location", "custodian", "category", "status", "department", "asset"],
  ...["user", "zone", "reader"],
] as const;

/** The service that knows the name of a record. */
export type Owner = "register" | "identity" | "tagging";

type Kind = { value: string; owner: Owner };

const place: Kind = { value: "location", owner: "register" };

/** The records that have a name, by the prefix of their ids. */
const kinds = new Map<string, Kind>([
  ["loc", place],
  ["prp", place],
  ["bld", place],
  ["flr", place],
  ["cus", { value: "custodian", owner: "register" }],
  ["cat", { value: "category", owner: "register" }],
  ["sta", { value: "status", owner: "register" }],
  ["dep", { value: "department", owner: "register" }],
  ["ast", { value: "asset", owner: "register" }],
  ["usr", { value: "user", owner: "identity" }],
  ["key", { value: "user", owner: "identity" }],
  ["zon", { value: "zone", owner: "tagging" }],
  ["rdr", { value: "reader", owner: "tagging" }],
]);

/** Properties for these alone are not expanded: `expand` has no value for them. Among others, they are a location. */
const WITHOUT_VALUE = ["prp", "bld", "flr"];
/** Everybody who acts: a property for users holds these ids too. */
const ACTORS = ["usr", "key", "rdr"];

/** A property that holds ids of records with names. */
export type IdProperty = {
  name: string;
  /** The property beside it that `expand` adds. */
  target: string;
  /** A list of records, one record, or the name of an actor in the object `{kind, id}`. */
  form: "list" | "record" | "actor";
  /** The values of `expand` that name its ids, by the prefix of an id. */
  values: Values;
};

type Values = ReadonlyMap<string, readonly string[]>;

/** The parts of a JSON schema that matter here. */
export type Schema = {
  title?: string;
  properties?: Readonly<Record<string, Schema>>;
  additionalProperties?: unknown;
  anyOf?: readonly Schema[];
  items?: Schema;
  examples?: readonly unknown[];
};

/** The service that knows the name of an id. Undefined for a text that is no such id. */
export const ownerOf = (id: string): Owner | undefined =>
  id.length > limits.id || id.endsWith("_") ? undefined : kinds.get(prefixOf(id))?.owner;

export const prefixOf = (id: string): string => id.slice(0, Math.max(0, id.indexOf("_")));

/**
 * The properties of an object that hold ids of records with names, as the examples of their schemas show:
 *
 * | Property       | `expand` adds                                                |
 * | -------------- | ------------------------------------------------------------ |
 * | `location_id`  | `location`                                                   |
 * | `reader_ids`   | `readers`                                                    |
 * | `assigned_to`  | `assigned_to_user`                                           |
 * | `subject`      | `subject_record`, since it may be of several kinds           |
 * | `{kind, id}`   | `name`, because it is an actor                               |
 *
 * An object that refuses other properties has the form of a request: it has none.
 */
export function idProperties({ properties = {}, additionalProperties }: Schema): IdProperty[] {
  if (additionalProperties === false) return [];
  if (Object.keys(properties).sort().join() === "id,kind") {
    return [{ name: "id", target: "name", form: "actor", values: valuesOf(["usr"]) }];
  }
  return Object.entries(properties).flatMap(([name, schema]) => {
    if (name === "id") return [];
    const isList = name.endsWith("_ids");
    const prefixes = idPrefixesOf((isList ? schema.items : schema) ?? {}).filter((one) => kinds.has(one));
    if (prefixes.every((one) => WITHOUT_VALUE.includes(one))) return [];
    const values = valuesOf(prefixes);
    return [{ name, target: targetOf(name, values), form: isList ? "list" : "record", values } as const];
  });
}

/** The values that name ids of these kinds. A property for users may hold any actor. */
function valuesOf(prefixes: readonly string[]): Values {
  const values = new Map<string, string[]>(prefixes.map((one) => [one, [kinds.get(one)?.value ?? ""]]));
  if (!prefixes.includes("usr")) return values;
  for (const one of ACTORS) values.set(one, [...new Set([...(values.get(one) ?? []), "user"])]);
  return values;
}

function targetOf(name: string, values: Values): string {
  if (name.endsWith("_ids")) return plural(name.slice(0, -"_ids".length));
  if (name.endsWith("_id")) return name.slice(0, -"_id".length);
  const [value, ...others] = new Set([...values.values()].flat());
  return `${name}_${others.length === 0 ? value : "record"}`;
}

const plural = (noun: string): string =>
  noun.endsWith("y") ? `${noun.slice(0, -1)}ies` : noun.endsWith("s") ? `${noun}es` : `${noun}s`;
