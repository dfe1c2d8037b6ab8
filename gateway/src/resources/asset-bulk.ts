import {
  type CreateAssetResult,
  CreateAssetStatus,
  type CreateAssetsRequestSchema,
} from "@asset-register/proto/assetregister/register/v1/asset_pb";
import { limits } from "@asset-register/proto/limits";
import { enumNames } from "@asset-register/rpc";
import { AppError, createPauses, type FieldViolation, invalid } from "@asset-register/runtime";
import type { MessageInitShape } from "@bufbuild/protobuf";
import Type from "typebox";
import { enumOf } from "../http/fields.ts";
import { MAX_ERRORS } from "../http/find-errors.ts";
import { nullRemover } from "../http/optional-nulls.ts";
import type { Currency } from "../http/request-message.ts";
import { required } from "../http/required.ts";
import { body, exampleId, id, like } from "../http/schemas.ts";
import { bodyCompiler } from "../http/validator.ts";
import { violationsOf } from "../http/violations.ts";
import { newAssetItemSchema, toNewAsset, writeNotes, writeNotesSchema } from "./asset.ts";

const list = { maxItems: limits.assets };

export const newAssetsSchema = body({ assets: Type.Array(newAssetItemSchema, list) }, { title: "NewAssets" });

/** The check of the whole body. Each asset is judged individually, so that an invalid one does not make others fail. */
export const checkedAssetsSchema = body({ assets: Type.Array(Type.Unknown(), list) });

const rejectedExample = {
  ...{ index: 1, status: "rejected", code: "ASSET_NUMBER_TAKEN" },
  ...{ message: "Another asset has or had the number.", errors: [{ field: "number", message: "is taken" }] },
};

/** The properties of a rejected item in a list of results. */
export const refusalSchema = {
  code: Type.Optional(like("ASSET_NUMBER_TAKEN")),
  message: Type.Optional(like("Another asset has or had the number.")),
  errors: Type.Optional(Type.Array(Type.Object({ field: like("number"), message: like("is taken") }))),
};

export const createdAssetsSchema = Type.Object(
  {
    results: Type.Array(
      Type.Object({
        index: Type.Integer(),
        status: enumOf(CreateAssetStatus),
        id: Type.Optional(id("ast")),
        number: Type.Optional(like("AST-000042")),
        ...writeNotesSchema,
        ...refusalSchema,
      }),
      {
        examples: [
          [{ index: 0, status: "created", id: exampleId("ast"), number: "AST-000042" }, rejectedExample],
        ],
      },
    ),
  },
  { title: "CreatedAssets" },
);

type Result = Type.Static<typeof createdAssetsSchema>["results"][number];

/** An asset of a request, or why it is refused. */
type Judged = { input: NewAsset; message: Message } | AppError;
type NewAsset = Type.Static<typeof newAssetItemSchema>;
type Message = NonNullable<MessageInitShape<typeof CreateAssetsRequestSchema>["assets"]>[number];

const itemSchema: object = newAssetItemSchema;
const validate = bodyCompiler()(itemSchema);
const removeNulls = nullRemover(itemSchema);

/**
 * Judges each asset individually, with pauses for other requests. After `MAX_ERRORS` errors it finds only the first one
 * of each asset.
 */
export async function judgeNewAssets(assets: readonly unknown[], currency: Currency): Promise<Judged[]> {
  const pause = createPauses();
  const judged: Judged[] = [];
  let errors = 0;
  for (const [index, input] of assets.entries()) {
    const result = judge(input, `assets.${index}`, currency, Math.max(1, MAX_ERRORS - errors));
    if (result instanceof AppError) errors += result.violations.length;
    judged.push(result);
    await pause();
  }
  return judged;
}

function judge(input: unknown, path: string, currency: Currency, most: number): Judged {
  if (typeof input !== "object" || input === null || Array.isArray(input)) {
    return invalid([{ field: path, message: "must be object" }]);
  }
  removeNulls?.(input);
  const result = validate(input, most);
  if (result !== true) return invalid(violationsOf(result.error).slice(0, most));
  // The cast: it matches the schema.
  const asset = input as NewAsset;
  try {
    return { input: asset, message: toNewAsset(asset, currency).asset ?? {} };
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
}

/** The request for the valid assets. */
export const toCreateAssets = (
  judged: readonly Judged[],
): MessageInitShape<typeof CreateAssetsRequestSchema> => ({
  assets: judged.flatMap((one) => (one instanceof AppError ? [] : one.message)),
});

const statusNames = enumNames(CreateAssetStatus);

/** The results in the order of the request. `results` are those of the valid assets. */
export function presentCreatedAssets(
  judged: readonly Judged[],
  results: readonly CreateAssetResult[],
): { results: Result[] } {
  const next = results.values();
  return {
    results: judged.map((one, index): Result => {
      if (one instanceof AppError) return rejected(index, one);
      const result = required(next.next().value);
      const status = required(statusNames.decode(result.status));
      if (result.error) return rejected(index, result.error);
      return { index, status, id: result.id, number: result.number, ...writeNotes(one.input, result) };
    }),
  };
}

type Refusal = { code: string; message: string; violations: readonly FieldViolation[] };

/** The result of a rejected item. */
export function rejected(index: number, { code, message, violations }: Refusal) {
  const errors = violations.map(({ field, message: reason }) => ({ field, message: reason }));
  return { index, status: "rejected" as const, code, message, ...(errors.length > 0 && { errors }) };
}
