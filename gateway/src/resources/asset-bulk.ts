import {
  type CreateAssetResult,
  CreateAssetStatus,
  type CreateAssetsRequestSchema,
} from "@asset-register/proto/assetregister/register/v1/asset_pb";
import { limits } from "@asset-register/proto/limits";
import { enumNames } from "@asset-register/rpc";
import { AppError, type FieldViolation } from "@asset-register/runtime";
import type { MessageInitShape } from "@bufbuild/protobuf";
import Type from "typebox";
import type { Caller } from "../credentials.ts";
import { enumOf } from "../http/fields.ts";
import { required } from "../http/required.ts";
import { body, exampleId, id, like } from "../http/schemas.ts";
import { newAssetItemSchema, toNewAsset, writeNotes, writeNotesSchema } from "./asset.ts";

export const newAssetsSchema = body(
  { assets: Type.Array(newAssetItemSchema, { maxItems: limits.assets }) },
  { title: "NewAssets" },
);

const rejectedExample = {
  ...{ index: 1, status: "rejected", code: "ASSET_NUMBER_TAKEN" },
  ...{ message: "Another asset has or had the number.", errors: [{ field: "number", message: "is taken" }] },
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
        code: Type.Optional(like("ASSET_NUMBER_TAKEN")),
        message: Type.Optional(like("Another asset has or had the number.")),
        errors: Type.Optional(Type.Array(Type.Object({ field: like("number"), message: like("is taken") }))),
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

type Body = Type.Static<typeof newAssetsSchema>;
type Result = Type.Static<typeof createdAssetsSchema>["results"][number];

/** The request for the assets that can be converted, and the errors of the others by their index. */
export function toNewAssets(
  { assets }: Body,
  caller: Caller,
): { request: MessageInitShape<typeof CreateAssetsRequestSchema>; refused: Map<number, AppError> } {
  const refused = new Map<number, AppError>();
  const messages = assets.flatMap((input, index) => {
    try {
      return toNewAsset(input, caller).asset ?? [];
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      refused.set(index, error);
      return [];
    }
  });
  return { request: { assets: messages }, refused };
}

const statusNames = enumNames(CreateAssetStatus);

/** The results in the order of the request. `results` lacks those of the assets that were refused before. */
export function presentCreatedAssets(
  { assets }: Body,
  results: readonly CreateAssetResult[],
  refused: ReadonlyMap<number, AppError>,
): { results: Result[] } {
  const next = results.values();
  return {
    results: assets.map((input, index): Result => {
      const error = refused.get(index);
      if (error) return rejected(index, error.code, error.message, error.violations);
      const result = required(next.next().value);
      const status = required(statusNames.decode(result.status));
      if (result.error) {
        const { code, message, violations } = result.error;
        return rejected(index, code, message, violations);
      }
      return { index, status, id: result.id, number: result.number, ...writeNotes(input, result) };
    }),
  };
}

function rejected(
  index: number,
  code: string,
  message: string,
  violations: readonly FieldViolation[],
): Result {
  const errors = violations.map(({ field, message: reason }) => ({ field, message: reason }));
  return { index, status: "rejected", code, message, ...(errors.length > 0 && { errors }) };
}
