import { backtest } from "./backtest.ts";
import { consoleScreens } from "./console.ts";
import { deliveries } from "./deliveries.ts";
import { deliveryIsolation, deliveryLatency } from "./delivery-latency.ts";
import { depreciationDraft } from "./depreciation-draft.ts";
import { edge } from "./edge.ts";
import { edgeAgent } from "./edge-agent.ts";
import { edgeAgentBacklog } from "./edge-agent-backlog.ts";
import { edgeAgentMessages } from "./edge-agent-messages.ts";
import { exportRegister } from "./export.ts";
import { feed, feedOfMany } from "./feed.ts";
import { feedLatency } from "./feed-latency.ts";
import { feedStream, feedWait } from "./feed-stream.ts";
import { getAsset } from "./get-asset.ts";
import { importAssets } from "./import.ts";
import { ingestBatch } from "./ingest-batch.ts";
import { ingestReplicas } from "./ingest-replicas.ts";
import { ingestSingle } from "./ingest-single.ts";
import { judging } from "./judging.ts";
import { lastSeen } from "./last-seen.ts";
import { listExpanded } from "./list-expanded.ts";
import { liveness } from "./liveness.ts";
import { manyReaders } from "./many-readers.ts";
import { processing, processingNewTags } from "./processing.ts";
import { processingReplicas } from "./processing-replicas.ts";
import { reconcile } from "./reconcile.ts";
import { relay } from "./relay.ts";
import { scans } from "./scans.ts";

/** All benchmarks, by their name in `npm run bench [name]`. */
export const benchmarks = {
  edge,
  console: consoleScreens,
  "get-asset": getAsset,
  "list-expanded": listExpanded,
  "ingest-single": ingestSingle,
  "ingest-batch": ingestBatch,
  "ingest-replicas": ingestReplicas,
  processing,
  "processing-new-tags": processingNewTags,
  "processing-replicas": processingReplicas,
  "last-seen": lastSeen,
  liveness,
  judging,
  backtest,
  "readers-10-to-10000": manyReaders,
  scans,
  export: exportRegister,
  import: importAssets,
  reconcile,
  "depreciation-draft": depreciationDraft,
  deliveries,
  "delivery-latency": deliveryLatency,
  "delivery-isolation": deliveryIsolation,
  relay,
  feed,
  "feed-100": feedOfMany,
  "feed-latency": feedLatency,
  "feed-stream": feedStream,
  "feed-wait": feedWait,
  "edge-agent": edgeAgent,
  "edge-agent-backlog": edgeAgentBacklog,
  "edge-agent-messages": edgeAgentMessages,
};
