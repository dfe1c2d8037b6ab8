import type { FieldViolation } from "@asset-register/runtime";
import type { FastifyError } from "fastify";

type SchemaError = NonNullable<FastifyError["validation"]>[number];

/** An error, and what it says in the caller's words: of a union, what its branches said. */
type Fault = { error: SchemaError; violations: FieldViolation[] };

const MAX_VIOLATIONS = 50;
/** A body of 1 MiB can have 200,000. What comes later is not told anyway, unless these are of very few unions. */
const MAX_ERRORS = 2_000;

/** What a schema found wrong, in the caller's words: fields as paths, each fault once. */
export function violationsOf(errors: SchemaError[]): FieldViolation[] {
  const faults: Fault[] = [];
  for (const error of errors.slice(0, MAX_ERRORS)) {
    if (error.keyword !== "anyOf") faults.push({ error, violations: [violation(error)] });
    else {
      // What the branches had against the value stands just before their union.
      const first = faults.findLastIndex((fault) => !isWithin(fault.error, error)) + 1;
      faults.push({ error, violations: ofUnion(error, faults.splice(first)) });
    }
  }
  return faults.flatMap(toViolations).slice(0, MAX_VIOLATIONS);
}

/** Whether an error is what a branch of a union had against the value. */
const isWithin = (error: SchemaError, union: SchemaError): boolean =>
  error.schemaPath.startsWith(`${union.schemaPath}/`) &&
  `${error.instancePath}/`.startsWith(`${union.instancePath}/`);

/**
 * A value that fits no branch fails in all of them, but its sender meant one:
 * that whose literal (`type: "..."`) it names. Without literals, all are named.
 */
function ofUnion(union: SchemaError, faults: Fault[]): FieldViolation[] {
  const branches = [
    ...Map.groupBy(faults, ({ error }) => branchOf(error.schemaPath, union.schemaPath)).values(),
  ];
  const isLiteral = ({ error }: Fault): boolean => error.keyword === "const";
  const meant = branches.filter((branch) => !branch.some(isLiteral));
  const [only] = meant;
  if (only !== undefined && meant.length === 1 && branches.length > 1) return only.flatMap(toViolations);
  const literals = faults.filter(isLiteral).map(({ error }) => error);
  const [literal] = literals;
  if (literal !== undefined && meant.length === 0) {
    const allowed = literals.map(({ params }) => String(params.allowedValue));
    return [{ field: fieldOf(literal), message: `must be one of: ${allowed.join(", ")}` }];
  }
  const byField = Map.groupBy(faults.flatMap(toViolations), ({ field }) => field);
  return [...byField].map(([field, found]) => ({
    field,
    message: [...new Set(found.map(({ message }) => message))].join(" or "),
  }));
}

const toViolations = ({ violations }: Fault): FieldViolation[] => violations;

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
