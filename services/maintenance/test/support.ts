import {
  type WorkOrder,
  type WorkOrderSchema,
  WorkOrderService,
  type WorkOrderStatus,
} from "@asset-register/proto/assetregister/maintenance/v1/work_order_pb";
import { topics } from "@asset-register/proto/topics";
import { newId, requireFound } from "@asset-register/runtime";
import {
  caller,
  fakeUsers,
  openTopics,
  sharedService,
  startService,
  type TestEvent,
} from "@asset-register/service-harness";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { buildApp, type Overrides } from "../src/app.ts";
import { configSchema } from "../src/config.ts";
import { fakeRegister } from "./fake-register.ts";

const { workspace, asset, organisation, workOrder, contract, audit } = topics;
const used = [workspace, asset, organisation, workOrder, contract, audit];
/** As that of the test's own calls: test machines are busy. */
const DEADLINE_MS = 20_000;

/** The service on real servers, with fakes of the services that it calls. */
export async function startMaintenance(overrides: Overrides = {}) {
  const { users, identity } = fakeUsers();
  const register = fakeRegister();
  const service = await startService({
    ...{ name: "maintenance", buildApp, configSchema, topics: used, callers: ["finance"] },
    overrides: { deadlineMs: DEADLINE_MS, ...overrides },
    fakes: { register: register.implementations, identity },
  });
  const recorded = { workOrder, contract };
  const bus = await openTopics({ prefix: service.prefix, recorded, published: used });
  return {
    ...service,
    ...bus,
    /** Users of identity. */
    users,
    register,
    workOrders: service.client(WorkOrderService),
    async stop() {
      await service.stop();
      await bus.close();
    },
  };
}

/** The service that the test files share. */
export const sharedMaintenance = sharedService((now) => startMaintenance({ now }));

export type Maintenance = Awaited<ReturnType<typeof sharedMaintenance>>;

type AssetFields = { name?: string; categoryId?: string; disposed?: boolean; deleted?: boolean };

/** An `asset` event as register publishes it. */
export const assetEvent = (
  workspaceId: string,
  id: string,
  sequence: number,
  { name = "Drill", categoryId, disposed = false, deleted = false }: AssetFields = {},
): TestEvent<typeof topics.asset.schema> => ({
  ...{ topic: asset, workspaceId, subject: id, sequence, type: "asset.updated" },
  message: {
    state: {
      ...{ id, name, categoryId, rev: sequence },
      ...(disposed && { disposed: { date: "2026-01-31" } }),
      ...(deleted && { deletedAt: timestampFromDate(new Date()) }),
    },
    change: { case: "updated", value: {} },
  },
});

/** A projected workspace, and callers in it. */
export async function newWorkspace({ projectWorkspace, mongo }: Maintenance, timeZone = "Europe/Berlin") {
  const id = await projectWorkspace({ timeZone }, mongo);
  return { id, editor: caller.user(id, "edit", "view"), viewer: caller.user(id, "view") };
}

export type Workspace = Awaited<ReturnType<typeof newWorkspace>>;

/** Calls about the work orders of a workspace. */
export function workOrderCalls(
  { workOrders, register }: Maintenance,
  { id: workspaceId, editor }: Workspace,
) {
  const read = async (id: string): Promise<WorkOrder> =>
    requireFound((await workOrders.getWorkOrder({ id }, editor)).workOrder);
  return {
    read,
    /** An asset that register has. */
    newAsset: (): string => register.assets.add(workspaceId, newId("ast")),
    create: async (fields: MessageInitShape<typeof WorkOrderSchema>): Promise<WorkOrder> => {
      const order = { title: "Replace the belt", ...fields };
      return requireFound((await workOrders.createWorkOrder({ workOrder: order }, editor)).workOrder);
    },
    /** Gives an order one status after the other. */
    become: async (id: string, ...statuses: WorkOrderStatus[]): Promise<WorkOrder> => {
      let last: WorkOrder | undefined;
      for (const status of statuses) {
        last = (await workOrders.changeWorkOrderStatus({ id, status }, editor)).workOrder;
      }
      return requireFound(last);
    },
  };
}
