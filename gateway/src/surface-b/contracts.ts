import {
  ContractService,
  ContractStatus,
  ContractType,
} from "@asset-register/proto/assetregister/maintenance/v1/contract_pb";
import { limits } from "@asset-register/proto/limits";
import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import Type from "typebox";
import { enumOf } from "../http/fields.ts";
import { byId, readRoutes } from "../http/read-routes.ts";
import { idFilter } from "../http/schemas.ts";
import { writeRoutes } from "../http/write-routes.ts";
import { contract, contractPatch, newContractSchema, toNewContract } from "../resources/contract.ts";
import type { Surface } from "../surface.ts";

const { createContract, listContracts, listExpiringContracts, getContract } = ContractService.method;
const { updateContract, cancelContract } = ContractService.method;

export const contracts: FastifyPluginAsyncTypebox<Surface> = async (app, { clients }) => {
  const { list, get } = readRoutes(app, clients, "b");
  const { create, act, patch } = writeRoutes(app, clients, "b");

  list("/contracts", {
    summary: "List contracts",
    access: { capability: "view" },
    rpc: listContracts,
    record: contract,
    sorts: byId,
    query: {
      asset_id: idFilter("ast"),
      type: Type.Optional(enumOf(ContractType)),
      status: Type.Optional({ ...enumOf(ContractStatus), description: "`active` includes `expiring`" }),
      expiring_days: Type.Optional(
        Type.Integer({
          minimum: 0,
          maximum: limits.days,
          description: "Only running contracts that end within these days, today included",
          examples: [30],
        }),
      ),
      q: Type.Optional(
        Type.String({
          maxLength: limits.line,
          description: "Beginnings of words in provider, reference and notes",
          examples: ["acme"],
        }),
      ),
    },
  });

  list("/contracts/expiring", {
    summary: "List the contracts that expire soon",
    access: { capability: "view" },
    rpc: listExpiringContracts,
    record: contract,
    query: {
      days: Type.Optional(
        Type.Integer({
          minimum: 0,
          maximum: limits.days,
          description: "Running contracts that end within these days, today included. 30 by default",
          examples: [30],
        }),
      ),
    },
  });

  get("/contracts/:id", {
    summary: "Retrieve one contract",
    access: { capability: "view" },
    rpc: getContract,
    record: contract,
  });

  create("/contracts", {
    summary: "Create a contract",
    access: { capability: "edit" },
    rpc: createContract,
    record: contract,
    body: newContractSchema,
    toRequest: (given, caller) => ({ contract: toNewContract(given, caller) }),
  });

  patch("/contracts/:id", {
    summary: "Change a contract",
    access: { capability: "edit" },
    rpc: updateContract,
    record: contract,
    patch: contractPatch,
  });

  act("/contracts/:id/cancel", {
    summary: "Cancel a contract",
    description: "It is final.",
    access: { capability: "edit" },
    rpc: cancelContract,
    record: contract,
  });
};
