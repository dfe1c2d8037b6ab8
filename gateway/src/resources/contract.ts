import {
  ContractSchema,
  ContractStatus,
  ContractType,
} from "@asset-register/proto/assetregister/maintenance/v1/contract_pb";
import { limits } from "@asset-register/proto/limits";
import Type from "typebox";
import { enumOf } from "../http/fields.ts";
import { clearable, mergePatch } from "../http/merge-patch.ts";
import { requestMessage } from "../http/request-message.ts";
import { resource } from "../http/resource.ts";
import { body, exampleId, id, instant, like, money, nullable, rev, unset } from "../http/schemas.ts";

const date = (description: string, example = "2026-01-31") =>
  Type.String({ format: "date", description, examples: [example] });

export const contract = resource(ContractSchema, "Contract", {
  id: id("ctr"),
  type: enumOf(ContractType),
  asset_id: id("ast"),
  asset_name: nullable({ ...like("Conveyor 3"), description: "As the asset is named now" }),
  asset_disposed: Type.Boolean(),
  provider: nullable(like("Acme Lifts")),
  reference: nullable(like("SV-2026-17")),
  starts_on: date("The first day"),
  ends_on: nullable(date("The last day; null: it never expires", "2027-01-30")),
  cost: nullable(Type.Number({ description: "For the whole period", examples: [1200] })),
  notes: nullable(like("Renew by phone")),
  status: enumOf(ContractStatus, "active"),
  cancelled_at: unset(instant()),
  created_at: instant(),
  created_by: nullable(like(exampleId("usr"))),
  rev,
});

const required = { type: enumOf(ContractType), starts_on: date("The first day") };
const emptiable = {
  provider: Type.String({ maxLength: limits.name, examples: ["Acme Lifts"] }),
  reference: Type.String({ maxLength: limits.line, examples: ["SV-2026-17"] }),
  ends_on: date("The last day, not before starts_on. Without it, it never expires", "2027-01-30"),
  cost: { ...money, description: "For the whole period" },
  notes: Type.String({ maxLength: limits.description, examples: ["Renew by phone"] }),
};

export const newContractSchema = body(
  {
    asset_id: id("ast"),
    ...required,
    provider: Type.Optional(emptiable.provider),
    reference: Type.Optional(emptiable.reference),
    ends_on: Type.Optional(emptiable.ends_on),
    cost: Type.Optional(emptiable.cost),
    notes: Type.Optional(emptiable.notes),
  },
  {
    title: "NewContract",
    examples: [
      {
        asset_id: exampleId("ast"),
        type: "service",
        provider: "Acme Lifts",
        starts_on: "2026-01-31",
        ends_on: "2027-01-30",
        cost: 1200,
      },
    ],
  },
);
export const toNewContract = requestMessage(ContractSchema, newContractSchema);

export const contractPatch = mergePatch(ContractSchema, {
  ...required,
  provider: clearable(emptiable.provider),
  reference: clearable(emptiable.reference),
  ends_on: clearable(emptiable.ends_on),
  cost: clearable(emptiable.cost),
  notes: clearable(emptiable.notes),
});
