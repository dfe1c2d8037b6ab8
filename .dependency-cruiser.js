const SERVICES = "^services/([^/]+)/";

/** Which code may import which; see CONTRIBUTING.md. */
export default {
  forbidden: [
    {
      name: "no-cycles",
      comment:
        "Files must not import each other in a cycle: merge them, or move the shared code to a third file.",
      severity: "error",
      from: {},
      to: { circular: true },
    },
    {
      name: "domain-is-pure",
      comment: "Domain code does not use databases, wire formats, brokers, clocks or the environment.",
      severity: "error",
      from: { path: "/src/domain/", pathNot: "[.]test[.]ts$" },
      to: {
        path: [
          "^proto/",
          "^packages/(mongo|events|redis)/",
          "^node_modules/(mongoose|mongodb|kafkajs|ioredis|fastify|undici|@grpc|@bufbuild)/",
          "^(fs|http|https|dns|tls|process|child_process|timers|os)(/|$)",
          "/src/(?!domain/)",
        ],
        // They contain only numbers, names and codings, which domain rules use too.
        pathNot:
          "^packages/(runtime|rpc|epc)/src/|^proto/(limits|event-types|feed-cursor|label-templates)[.]ts$",
      },
    },
    {
      name: "operations-know-no-wire-format",
      comment: "Adapters decode requests and encode answers. Operations work with domain types.",
      severity: "error",
      from: { path: "/src/operations/", pathNot: "[.]test[.]ts$" },
      to: { path: "/src/(encode|rpc)/" },
    },
    {
      name: "decode-calls-no-operation",
      comment: "Decoding a message is pure. It returns the input type of an operation, and calls none.",
      severity: "error",
      from: { path: "/src/decode/", pathNot: "[.]test[.]ts$" },
      to: { path: "/src/(operations|store|rpc)/", dependencyTypesNot: ["type-only"] },
    },
    {
      name: "services-do-not-import-services",
      comment:
        "Services use each other only by RPC and events. Tests may start the services that theirs calls.",
      severity: "error",
      from: { path: SERVICES, pathNot: "/test/" },
      to: { path: SERVICES, pathNot: "^services/$1/" },
    },
    {
      name: "gateway-does-not-import-services",
      comment: "The gateway uses services only by gRPC.",
      severity: "error",
      from: { path: "^gateway/", pathNot: "/test/" },
      to: { path: "^(services|packages/mongo|packages/events)/" },
    },
    {
      name: "the-console-is-a-client-of-surface-b",
      comment:
        "Its pages use the API as every app does. They share names of event types, limits of fields, sizes of labels, and how a cell of a CSV is guarded.",
      severity: "error",
      from: { path: "^apps/console/src/" },
      to: {
        path: "^(services|gateway|packages|deploy|proto)/",
        pathNot: "^proto/(event-types|limits|label-templates)[.]ts$|^packages/runtime/src/csv[.]ts$",
      },
    },
    {
      name: "the-edge-agent-runs-alone",
      comment:
        "It is at a site, without the rest of the platform. It shares only limits of fields and how an EPC is read with it.",
      severity: "error",
      from: { path: "^apps/edge-agent/", pathNot: "/test/|[.]test[.]ts$" },
      to: {
        path: "^(services|gateway|deploy|apps/console)/|^packages/(?!epc/)|^proto/(?!limits[.]ts$)",
      },
    },
    {
      name: "packages-have-no-domain-code",
      comment: "Packages import only the contracts that all services share.",
      severity: "error",
      // All services write audit entries to one topic, and know of their tenants by another. These helpers name them.
      from: {
        path: "^packages/",
        pathNot: "[.]test[.]ts$|/test/|^packages/(audit/src/audit-event|service/src/workspaces)[.]ts$",
      },
      to: {
        path: "^(services|gateway|deploy|test)/|^proto/topics[.]ts$|^proto/gen/assetregister/(?!common/)",
      },
    },
    {
      name: "system-collections-are-listed",
      comment:
        "Queries across workspaces bypass the workspace check. All files with such queries are listed here.",
      severity: "error",
      from: {
        path: "^(packages|services)/",
        pathNot: [
          "^packages/(mongo|events)/",
          "^services/[^/]+/migrations/",
          // One sweep removes the lost files of all workspaces.
          "^packages/blobs/src/files[.]ts$",
          "^packages/mail/src/claims[.]ts$",
          // Credentials are read before their workspace is known. Operators list all workspaces.
          // Calls of providers name no workspace. A domain and an identity belong to one workspace of all.
          "^services/identity/src/store/sso/(codes|connections|domains|identities)[.]ts$",
          "^services/identity/src/store/(credentials|sign-in-limits|used-challenges|all-workspaces)[.]ts$",
          // Sweeps and workers do what is due in all workspaces.
          "^services/identity/src/store/expiring-api-keys[.]ts$",
          "^services/notification/src/store/(webhooks/due-deliveries|alerts/(digests|waiting-sightings)|feed/(feed-heads|feed-writes)|projections/(first-readings|offline-readers)|alert-rules/(outdated-rules|rule-sweeps))[.]ts$",
          "^services/register/src/store/reports/active-workspaces[.]ts$",
          // A batch of reads contains many workspaces. A signature names only its reader.
          "^services/tagging-ingest/src/store/(agents/agent-credentials|archive/(archives|day-rows)|day-(collections|drops)|ingest/(credentials|event-log)|presence/(present-tags|presences|sighting-sequences|sightings)|readers/(judged-readers|reader-hours|reader-liveness|silent-readers)|tags/free-tags)[.]ts$",
          "[.]test[.]ts$",
        ],
      },
      to: { path: "^packages/mongo/src/system[.]ts$" },
    },
    {
      name: "no-test-code-in-production",
      comment: "Production code does not import test code.",
      severity: "error",
      from: { path: "^(proto|packages|services|gateway|apps|deploy)/", pathNot: "[.]test[.]ts$|/test/" },
      to: { path: "^test/|[.]test[.]ts$" },
    },
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    exclude: { path: "^node_modules/(?!@asset-register)" },
    tsPreCompilationDeps: true,
    parser: "swc",
    enhancedResolveOptions: { exportsFields: ["exports"], conditionNames: ["types", "import", "default"] },
  },
};
