import type { FieldViolation } from "@asset-register/runtime";
import type { FastifyError } from "fastify";

type SchemaError = NonNullable<FastifyError["validation"]>[number];

/** A schema error and the violations that it becomes. The error of a union includes those of its branches. */
type Fault = { error: SchemaError; violations: FieldViolation[] };

const MAX_VIOLATIONS = 50;
/**
 * A body of 1 MiB can have 200,000 errors. Only the first ones are read: they already yield more violations than are
 * reported, unless almost all of them belong to a few unions.
 */
const MAX_ERRORS = 2_000;

/** The violations that schema errors of a request become, in the order of the body: at most 50, fields as paths. */
export function violationsOf(errors: SchemaError[]): FieldViolation[] {
  const faults: Fault[] = [];
  for (const error of errors.slice(0, MAX_ERRORS)) {
    if (error.keyword !== "anyOf") faults.push({ error, violations: [violation(error)] });
    else {
      // Ajv reports the errors of the branches directly before the error of their union.
      const first = faults.findLastIndex((fault) => !isWithin(fault.error, error)) + 1;
      faults.push({ error, violations: ofUnion(error, faults.splice(first)) });
    }
  }
  return faults.flatMap(toViolations).slice(0, MAX_VIOLATIONS);
}

/** Whether an error comes from a branch of the union: it is about the value of the union or a part of it. */
const isWithin = (error: SchemaError, union: SchemaError): boolean =>
  error.schemaPath.startsWith(`${union.schemaPath}/`) &&
  `${error.instancePath}/`.startsWith(`${union.instancePath}/`);

/**
 * The violations of a value that matches no branch of a union. Ajv reports the errors of every branch, but the sender
 * meant one of them:
 *
 * | The value                               | Violations                                  |
 * | --------------------------------------- | ------------------------------------------- |
 * | has the literal (`type: "..."`) of one  | those of that branch                        |
 * | has the literal of none                 | the allowed literals                        |
 * | the branches have no literals           | those of all branches, joined by "or"       |
 */
function ofUnion(union: SchemaError, faults: Fault[]): FieldViolation[] {
  const branches = [
    ...Map.groupBy(faults, ({ error }) => branchOf(error.schemaPath, union.schemaPath)).values(),
  ];
  const isLiteral = ({ error }: Fault): boolean => error.keyword === "const";
  const candidates = branches.filter((branch) => !branch.some(isLiteral));
  const [only] = candidates;
  if (only !== undefined && candidates.length === 1 && branches.length > 1) return only.flatMap(toViolations);
  const literals = faults.filter(isLiteral).map(({ error }) => error);
  const [literal] = literals;
  if (literal !== undefined && candidates.length === 0) {
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

/** The path of a field: "/events/0/ts" is events.0.ts. The whole body is "body". */
function fieldOf({ instancePath }: SchemaError, property?: unknown): string {
  const names = instancePath.split("/").slice(1);
  if (property !== undefined) names.push(String(property));
  return names.length === 0 ? "body" : names.join(".");
}
