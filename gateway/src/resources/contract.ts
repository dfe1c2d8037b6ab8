import {
  ContractSchema,
  ContractStatus,
  ContractType,
} from "@asset-register/proto/assetregister/maintenance/v1/contract_pb";
import { limits } from "@asset-register/proto/limits";
import Type from "typebox";
import { newBody } from "../http/bodies.ts";
import { enumOf } from "../http/fields.ts";
import { mergePatch } from "../http/merge-patch.ts";
import { requestMessage } from "../http/request-message.ts";
import { resource } from "../http/resource.ts";
import { exampleId, id, instant, like, money, nullable, rev, textOf, unset } from "../http/schemas.ts";
import { fixed, optional, required } from "../http/writable.ts";

const date = (description: string, example = "2026-01-31") =>
  Type.String({ format: "date", description, examples: [example] });

export const contract = resource(ContractSchema, "Contract", {
  id: id("ctr"),
  type: required(enumOf(ContractType)),
  asset_id: fixed(required(id("ast"))),
  asset_name: nullable({ ...like("Conveyor 3"), description: "As the asset is named now" }),
  asset_disposed: Type.Boolean(),
  provider: optional(textOf(limits.name, "Acme Lifts")),
  reference: optional(textOf(limits.line, "SV-2026-17")),
  starts_on: required(date("The first day")),
  ends_on: optional(date("The last day, not before starts_on. Without it, it never expires", "2027-01-30"), {
    shown: { description: "The last day; null: it never expires" },
  }),
  cost: optional({ ...money, description: "For the whole period" }, { shown: { examples: [1200] } }),
  notes: optional(textOf(limits.description, "Renew by phone")),
  status: enumOf(ContractStatus, "active"),
  cancelled_at: unset(instant()),
  created_at: instant(),
  created_by: nullable(like(exampleId("usr"))),
  rev,
});

export const newContractSchema = newBody(contract, {
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
});
export const toNewContract = requestMessage(ContractSchema, newContractSchema);
export const contractPatch = mergePatch(contract);
