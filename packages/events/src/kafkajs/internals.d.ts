/** Private modules of kafkajs, as far as this package changes them. */
declare module "kafkajs/src/network/requestQueue/index.js" {
  class RequestQueue {
    constructor(options: object);
    /** Requests that wait until the broker no longer throttles the client. */
    pending: unknown[];
    throttledUntil: number;
    throttleCheckTimeoutId: NodeJS.Timeout | null;
    scheduleCheckPendingRequests(): void;
    fulfillRequest(response: { correlationId: number; payload: Buffer; size: number }): void;
    destroy(): void;
  }
  export = RequestQueue;
}

declare module "kafkajs/src/protocol/requests/metadata/v6/response.js" {
  type Partition = { partitionErrorCode: number; partitionId: number; leader: number };
  type Metadata = {
    topicMetadata: { topicErrorCode: number; topic: string; partitionMetadata: Partition[] }[];
  };
  const response: { parse(data: Metadata): Promise<Metadata> };
  export = response;
}

declare module "kafkajs/src/cluster/index.js" {
  type Asked = {
    topic: string;
    partitions: { partition: number }[];
    fromBeginning?: boolean;
    fromTimestamp?: number;
  };
  type Offsets = { topic: string; partitions: { partition: number; offset: string }[] };
  class Cluster {
    refreshMetadata(): Promise<void>;
    findTopicPartitionMetadata(topic: string): { partitionId: number; leader: number }[];
    fetchTopicsOffset(topics: Asked[]): Promise<Offsets[]>;
  }
  export = Cluster;
}
