export { findFreePort } from "@asset-register/local";
export { certificates } from "./certificates.ts";
export { findChromium, findPdftoppm } from "./debian-program.ts";
export { eventually } from "./eventually.ts";
export { type GatewayProcess, startGatewayProcess } from "./gateway-process.ts";
export { type TestKeys, testKeyring, testKeys } from "./keys.ts";
export { leaveGroups } from "./leave-groups.ts";
export { privateReplicaSet, type ReplicaSet } from "./replica-set.ts";
export {
  freshDatabase,
  freshPrefix,
  type KafkaCluster,
  privateKafkaCluster,
  privateRedisCluster,
  privateRedisSentinels,
  privateServer,
  type RedisCluster,
  type RedisSentinels,
  type TestServers,
  testServers,
} from "./servers.ts";
export { createPlacedTopic, FEW_REPLICAS, NO_LEADER, WELL } from "./sick-partitions.ts";
export { createTestTopics } from "./topics.ts";
export { findVersitygw, startS3, type TestS3 } from "./versitygw.ts";
