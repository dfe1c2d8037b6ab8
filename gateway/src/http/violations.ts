import type { FieldViolation } from "@asset-register/runtime";
import type { FastifyError } from "fastify";

type SchemaError = NonNullable<FastifyError["validation"]>[number];

const MAX_VIOLATIONS = 50;

/** What a schema found wrong, in the caller's words: fields as paths, each fault once. */
export function violationsOf(errors: SchemaError[]): FieldViolation[] {
  const unions = errors.filter(({ keyword }) => keyword === "anyOf");
  const plain = errors.filter(
    (error) => error.keyword !== "anyOf" && !unions.some((union) => isWithin(error, union)),
  );
  const found = [
    ...plain.map(violation),
    ...unions.flatMap((union) =>
      ofUnion(
        union,
        errors.filter((error) => isWithin(error, union)),
      ),
    ),
  ];
  return found.slice(0, MAX_VIOLATIONS);
}

/** Whether an error is what a branch of a union had against the value. */
const isWithin = (error: SchemaError, union: SchemaError): boolean =>
  error !== union &&
  error.schemaPath.startsWith(`${union.schemaPath}/`) &&
  error.instancePath.startsWith(union.instancePath);

/**
 * A value that fits no branch fails in all of them, but its sender meant one:
 * that whose literal (`type: "..."`) it names. Without literals, all are named.
 */
function ofUnion(union: SchemaError, errors: SchemaError[]): FieldViolation[] {
  const branches = [
    ...Map.groupBy(errors, ({ schemaPath }) => branchOf(schemaPath, union.schemaPath)).values(),
  ];
  const isLiteral = ({ keyword }: SchemaError): boolean => keyword === "const";
  const meant = branches.filter((branch) => !branch.some(isLiteral));
  const [only] = meant;
  if (only !== undefined && meant.length === 1 && branches.length > 1) return only.map(violation);
  const literals = errors.filter(isLiteral);
  const [literal] = literals;
  if (literal !== undefined && meant.length === 0) {
    const allowed = literals.map(({ params }) => String(params.allowedValue));
    return [{ field: fieldOf(literal), message: `must be one of: ${allowed.join(", ")}` }];
  }
  const byField = Map.groupBy(errors.map(violation), ({ field }) => field);
  return [...byField].map(([field, found]) => ({
    field,
    message: [...new Set(found.map(({ message }) => message))].join(" or "),
  }));
}

const branchOf = (schemaPath: string, union: string): string =>
  schemaPath.slice(union.length + 1).split("/", 1)[0] ?? "";

function violation(error: SchemaError): FieldViolation {
  const { keyword, params, message } = error;
  if (keyword === "additionalProperties") {
    return { field: fieldOf(error, params.additionalProperty), message: "is not a known field" };
  }
  if (keyword === "required")
    return { field: fieldOf(error, params.missingProperty), message: "is required" };
  if (keyword === "enum" && Array.isArray(params.allowedValues)) {
    return { field: fieldOf(error), message: `must be one of: ${params.allowedValues.join(", ")}` };
  }
  return { field: fieldOf(error), message: message ?? "is not valid" };
}

/** "/events/0/ts" is events.0.ts; the whole body is "body". */
function fieldOf({ instancePath }: SchemaError, property?: unknown): string {
  const names = instancePath.split("/").slice(1);
  if (property !== undefined) names.push(String(property));
  return names.length === 0 ? "body" : names.join(".");
}
