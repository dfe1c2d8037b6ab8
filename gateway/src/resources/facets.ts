import {
  AssetFacetSchema,
  type AssetFacets,
  FacetField,
} from "@asset-register/proto/assetregister/register/v1/report_pb";
import { enumNames } from "@asset-register/rpc";
import { timestampDate } from "@bufbuild/protobuf/wkt";
import Type from "typebox";
import { resource } from "../http/resource.ts";
import { exampleId, id, instant, like, nullable } from "../http/schemas.ts";

const fields = enumNames(FacetField);
type Field = (typeof fields.names)[number];

/** The facet of a field whose values are records with ids of this prefix. */
const facet = (prefix: string, title: string, name: string) =>
  resource(AssetFacetSchema, title, {
    values: Type.Array(
      Type.Object({
        id: nullable(id(prefix, "Null for the assets that have none")),
        name: nullable(like(name)),
        count: Type.Integer({ description: "Number of assets", examples: [12] }),
      }),
      {
        description: "The 50 values with the most assets; of equals the one with the lower id first",
        examples: [[{ id: exampleId(prefix), name, count: 12 }]],
      },
    ),
    other: Type.Integer({ description: "Number of assets with other values", examples: [0] }),
    is_exact: Type.Boolean({
      description: "False if the figures were counted before the request, at `as_of`",
      examples: [true],
    }),
  });

const facets = {
  status: facet("sta", "StatusFacet", "In use"),
  category: facet("cat", "CategoryFacet", "Laptops"),
  location: facet("loc", "LocationFacet", "Main warehouse"),
} as const satisfies Record<Field, unknown>;

const orNull = <S extends Type.TObject>(schema: S) => Type.Optional(Type.Union([schema, Type.Null()]));

/** The facets that `by` names. */
export const facetsSchema = Type.Object(
  {
    status: orNull(facets.status.schema),
    category: orNull(facets.category.schema),
    location: orNull(facets.location.schema),
    too_many: Type.Optional(
      Type.Literal(true, {
        description: "Present if more than 100,000 assets match the filters. Then each facet is null.",
      }),
    ),
    as_of: Type.Optional(
      instant("Without filters: when the assets were counted, at most once a minute in a workspace"),
    ),
  },
  { title: "AssetFacets" },
);

export const byQuery = Type.Optional(
  Type.String({
    minLength: 1,
    maxLength: 100,
    pattern: `^(${fields.names.join("|")})(,(${fields.names.join("|")}))*$`,
    description: "What to count by, separated by commas: `status`, `category`, `location`. Default: all.",
    examples: ["status,category"],
  }),
);

/** The facets that `by` names. Its schema admits no others. */
export const parseBy = (text: string = fields.names.join(",")): Field[] =>
  fields.names.filter((name) => text.split(",").includes(name));

export const toFields = (by: readonly Field[]): FacetField[] => by.map((name) => fields.encode(name));

type Shown = Type.Static<typeof facetsSchema>;

/** The facets in `by`. */
export function presentFacets(found: AssetFacets, by: readonly Field[]): Shown {
  const shown = by.map((name) => {
    const message = found[name];
    return [name, message ? facets[name].present(message) : null] as const;
  });
  return {
    ...Object.fromEntries(shown),
    ...(found.tooMany && { too_many: true }),
    ...(found.asOf && { as_of: timestampDate(found.asOf).toISOString() }),
  };
}
