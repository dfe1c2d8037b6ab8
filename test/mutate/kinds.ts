/** Names for the rules whose tests must find at least `REQUIRED` percent of the mutants. Paths are globs of Stryker. */
export const KINDS: Readonly<Record<string, readonly string[]>> = {
  money: ["packages/runtime/src/money.ts", "services/finance/src/domain/**/*.ts"],
  // Without the reconciles that only tests use.
  reconcile: [
    "services/stocktake/src/domain/**/*.ts",
    "!services/stocktake/src/domain/reconcile/{in-memory,plain-model}.ts",
  ],
  presence: [
    "services/tagging-ingest/src/domain/{advance,depart,effective-time,move-rule,outcomes,place,presence}.ts",
    "services/tagging-ingest/src/domain/{presence-settings,reading,seconds,silence,slow-clock,waiting-reads}.ts",
  ],
  "due-dates": [
    "packages/runtime/src/{calendar,time}.ts",
    "services/maintenance/src/domain/schedule/*.ts",
    "services/maintenance/src/domain/{calibration,contract-status,downtime,due-row,pm-schedule}.ts",
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
