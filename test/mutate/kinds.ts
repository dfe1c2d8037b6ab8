/** Names for the rules whose tests must find at least `REQUIRED` percent of the mutants. Paths are globs of Stryker. */
export const KINDS: Readonly<Record<string, readonly string[]>> = {
  money: ["packages/runtime/src/money.ts", "services/finance/src/domain/**/*.ts"],
  // A test on the service compares the columns of the file.
  reconcile: ["services/stocktake/src/domain/**/*.ts", "!services/stocktake/src/domain/variance-csv.ts"],
  presence: [
    "services/tagging-ingest/src/domain/presence/*.ts",
    "services/tagging-ingest/src/domain/ingest/{effective-time,reading,slow-clock}.ts",
  ],
  "due-dates": [
    "packages/runtime/src/{calendar,time}.ts",
    "services/maintenance/src/domain/{calibrations,schedules}/*.ts",
    "services/maintenance/src/domain/contracts/contract-status.ts",
    "services/maintenance/src/domain/work-orders/downtime.ts",
  ],
  authorisation: [
    "packages/rpc/src/{access,actor,capability,claims,identity,principal}.ts",
    "services/identity/src/domain/{api-key,lockout,refresh,token,user}.ts",
    "gateway/src/{address-list,client-address}.ts",
    "gateway/src/http/boot-check.ts",
  ],
};

/** Percent of the mutants. */
export const REQUIRED = 85;
