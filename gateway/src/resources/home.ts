import { ContractService } from "@asset-register/proto/assetregister/maintenance/v1/contract_pb";
import { DueListService } from "@asset-register/proto/assetregister/maintenance/v1/pm_schedule_pb";
import { AlertService } from "@asset-register/proto/assetregister/notification/v1/alert_pb";
import { CustodyService } from "@asset-register/proto/assetregister/register/v1/custody_pb";
import { StocktakeService } from "@asset-register/proto/assetregister/stocktake/v1/session_pb";
import { ReaderService } from "@asset-register/proto/assetregister/tagging_ingest/v1/reader_pb";
import type { Capability } from "@asset-register/rpc";
import type { DescMessage, DescMethodUnary } from "@bufbuild/protobuf";
import Type from "typebox";
import { requestMessage } from "../http/request-message.ts";
import { nullable } from "../http/schemas.ts";
import { alertStatus } from "./alert.ts";

/** A number of things that wait for a user, as the total of a list. */
export type HomePart = {
  name: string;
  /** The capability that the list needs. */
  capability: Capability;
  rpc: DescMethodUnary;
  /** The filter of the RPC's request. */
  request: object;
  /** The path of the list on the surface, with its filter. */
  path: string;
};

/** Lists of what is due soon look so far ahead. */
const days = { schema: Type.Integer(), value: 30 };
const yes = { schema: Type.Boolean(), value: true };

/** The parts of the answer, in order. */
export const homeParts: readonly HomePart[] = [
  part("alerts_open", "/alerts", "view", AlertService.method.listAlerts, {
    status: { schema: alertStatus, value: "open" },
  }),
  part("checkouts_overdue", "/checkouts", "view", CustodyService.method.listCheckouts, { overdue: yes }),
  part("maintenance_due", "/maintenance/due", "view", DueListService.method.listMaintenanceDue, { days }),
  part("calibrations_due", "/calibrations/due", "view", DueListService.method.listCalibrationsDue, { days }),
  part("contracts_expiring", "/contracts/expiring", "view", ContractService.method.listExpiringContracts, {
    days,
  }),
  part("counts_in_progress", "/stocktake/sessions", "view", StocktakeService.method.listSessions, {
    in_progress: yes,
  }),
  part("readers_silent", "/readers", "devices", ReaderService.method.listReaders, { silent: yes }),
];

/** A filter by the name of its parameter: the schema of the parameter, and its value. */
type Filter = Readonly<Record<string, { schema: Type.TSchema; value: string | number | boolean }>>;

/** One filter makes both the request and the address, so that the list behind the address has the same total. */
function part<I extends DescMessage, O extends DescMessage>(
  name: string,
  list: string,
  capability: Capability,
  rpc: DescMethodUnary<I, O>,
  filter: Filter,
): HomePart {
  const entries = Object.entries(filter);
  const schema = Type.Object(Object.fromEntries(entries.map(([key, { schema: one }]) => [key, one])));
  const values = Object.fromEntries(entries.map(([key, { value }]) => [key, value]));
  const query = new URLSearchParams(
    Object.fromEntries(entries.map(([key, { value }]) => [key, String(value)])),
  );
  const request: object = requestMessage(rpc.input, schema)(values as Type.Static<typeof schema>);
  return { name, capability, rpc, request, path: `${list}?${query}` };
}

const countSchema = (path: string) =>
  nullable(
    Type.Object({
      count: Type.Integer({ description: "Counting stops at 100,000", examples: [3] }),
      count_is_exact: Type.Boolean({ examples: [true] }),
      href: Type.String({
        description: "The address of the list",
        examples: [`/asset_manager_api${path}`],
      }),
    }),
  );

/** A part is null while its service does not answer, and is missing without the capability of its list. */
export const homeSchema = Type.Object(
  Object.fromEntries(
    homeParts.map(({ name, path, capability }) => [
      name,
      capability === "view" ? countSchema(path) : Type.Optional(countSchema(path)),
    ]),
  ),
  { title: "Home" },
);
