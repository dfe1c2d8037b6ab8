const SERVICES = "^services/([^/]+)/";

/** Where code may reach; see "House style" in CONTRIBUTING.md. */
export default {
  forbidden: [
    {
      name: "no-cycles",
      comment: "Two files that need each other are one thing, or miss a third.",
      severity: "error",
      from: {},
      to: { circular: true },
    },
    {
      name: "domain-is-pure",
      comment: "Rules know no database, wire format, broker, clock source or environment.",
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
        // Plain numbers, which the contract promises and rules hold to.
        pathNot: "^packages/(runtime|rpc)/src/|^proto/limits[.]ts$",
      },
    },
    {
      name: "services-are-strangers",
      comment: "A service is asked by RPC or heard by events, never imported.",
      severity: "error",
      from: { path: SERVICES },
      to: { path: SERVICES, pathNot: "^services/$1/" },
    },
    {
      name: "gateway-knows-no-service",
      comment: "The gateway reaches services over gRPC alone.",
      severity: "error",
      from: { path: "^gateway/" },
      to: { path: "^(services|packages/mongo|packages/events)/" },
    },
    {
      name: "packages-know-no-domain-word",
      comment: "A package sees of the contracts only what all services share.",
      severity: "error",
      // Every service's acts go to one audit log: the helper for them names its topic.
      from: { path: "^packages/", pathNot: "[.]test[.]ts$|/test/|^packages/audit/src/audit-event[.]ts$" },
      to: {
        path: "^(services|gateway|deploy|test)/|^proto/topics[.]ts$|^proto/gen/assetregister/(?!common/)",
      },
    },
    {
      name: "system-collections-are-listed",
      comment: "What crosses workspaces is unguarded: each place that does is named here.",
      severity: "error",
      from: {
        path: "^(packages|services)/",
        pathNot: [
          "^packages/(mongo|events)/",
          "^services/[^/]+/migrations/",
          // Credentials are looked up before their workspace is known; operators list workspaces.
          "^services/identity/src/store/(credentials|sign-in-limits|all-workspaces)[.]ts$",
          // One worker sends what is due, of whatever workspace.
          "^services/notification/src/store/due-deliveries[.]ts$",
          // A batch of reads is of many workspaces; a signature names its reader alone.
          "^services/tagging-ingest/src/store/(credentials|event-log|presences|sighting-sequences)[.]ts$",
          "[.]test[.]ts$",
        ],
      },
      to: { path: "^packages/mongo/src/system[.]ts$" },
    },
    {
      name: "no-test-code-in-production",
      comment: "What runs in production needs nothing of the tests.",
      severity: "error",
      from: { path: "^(proto|packages|services|gateway|deploy)/", pathNot: "[.]test[.]ts$|/test/" },
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
