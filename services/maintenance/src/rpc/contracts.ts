import { ContractService } from "@asset-register/proto/assetregister/maintenance/v1/contract_pb";
import {
  command,
  type Implementation,
  implement,
  type Page,
  pageInfo,
  pageRequest,
} from "@asset-register/rpc";
import { requireFound } from "@asset-register/runtime";
import { requireWorkspace } from "@asset-register/service";
import type { Context } from "../context.ts";
import {
  decodeCancelContract,
  decodeContractFilter,
  decodeCreateContract,
  decodeDays,
  decodeUpdateContract,
} from "../decode/contract.ts";
import type { Contract, ContractView } from "../domain/contracts/contract.ts";
import { encodeContract } from "../encode/contract.ts";
import { cancelContract } from "../operations/contracts/cancel-contract.ts";
import { createContract } from "../operations/contracts/create-contract.ts";
import { updateContract } from "../operations/contracts/update-contract.ts";
import { today } from "../operations/today.ts";

const encode = (view: ContractView) => ({ contract: encodeContract(view) });

export function contractService(context: Context): Implementation {
  const { stores, now } = context;

  const todayOf = async (workspaceId: string): Promise<string> =>
    today(now(), (await requireWorkspace(context, workspaceId)).timeZone);

  async function answer(workspaceId: string, day: string, found: Page<Contract>) {
    const ids = found.items.map(({ assetId }) => assetId);
    const assets = await stores.assets.getMany(workspaceId, ids);
    return {
      contracts: found.items.map((contract) =>
        encodeContract({ contract, today: day, asset: assets.get(contract.assetId) }),
      ),
      page: pageInfo(found),
    };
  }

  return implement(ContractService, {
    createContract: command(
      decodeCreateContract,
      (input, call) => createContract(context, input, call),
      encode,
    ),
    updateContract: command(
      decodeUpdateContract,
      (input, call) => updateContract(context, input, call),
      encode,
    ),
    cancelContract: command(
      decodeCancelContract,
      (input, call) => cancelContract(context, input, call),
      encode,
    ),

    async getContract({ id }, { workspaceId }) {
      const contract = requireFound(await stores.contracts.get(workspaceId, id), "contract");
      const asset = await stores.assets.get(workspaceId, contract.assetId);
      return encode({ contract, asset, today: await todayOf(workspaceId) });
    },

    async listContracts(request, { workspaceId }) {
      const filter = decodeContractFilter(request);
      const day = await todayOf(workspaceId);
      const found = await stores.contracts.list(workspaceId, filter, day, pageRequest(request.page));
      return answer(workspaceId, day, found);
    },

    async listExpiringContracts(request, { workspaceId }) {
      const days = decodeDays(request);
      const day = await todayOf(workspaceId);
      const period = { today: day, days };
      return answer(
        workspaceId,
        day,
        await stores.contracts.listExpiring(workspaceId, period, pageRequest(request.page)),
      );
    },
  });
}
