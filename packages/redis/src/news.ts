import { type CreateRedisOptions, createRedis, createSubscriber, type RedisClient } from "./create-redis.ts";

/** Texts that were published within this time are sent in one message. */
const GATHER_MS = 5;

/** Informs other processes of news. Messages can be lost: nothing may depend on one. */
export type News = {
  /** Never fails. What is published twice within 5 ms is sent once. */
  publish(text: string): void;
  /** Listens from now on, once in a process. It also receives what its own process publishes. */
  subscribe(onText: (text: string) => void): void;
  start(): void;
  stop(): void;
};

/** A channel of Redis for short texts without line breaks. `onFailed` is called for messages that Redis did not take. */
export function createNews(
  channel: string,
  options: CreateRedisOptions,
  onFailed: (error: unknown) => void,
): News {
  const redis = createRedis(options);
  const gathered = new Set<string>();
  let subscription: { start(): void; stop(): void } | undefined;
  const send = (): void => {
    const message = [...gathered].join("\n");
    gathered.clear();
    redis.publish(channel, message).catch(onFailed);
  };
  return {
    publish(text) {
      if (gathered.size === 0) setTimeout(send, GATHER_MS);
      gathered.add(text);
    },
    subscribe(onText) {
      subscription = subscribe(channel, options, {
        onMessage(message) {
          for (const text of message.split("\n")) onText(text);
        },
      });
      subscription.start();
    },
    start: () => connect(redis),
    stop() {
      redis.disconnect();
      subscription?.stop();
    },
  };
}

/**
 * Listens to a channel, on a connection of its own: a connection with a subscription takes no other command.
 * `onConnected` is called after each connection, because messages may have been missed before it.
 */
export function subscribe(
  channel: string,
  options: CreateRedisOptions,
  { onMessage, onConnected }: { onMessage: (message: string) => void; onConnected?: () => void },
): { start(): void; stop(): void } {
  const redis = createSubscriber(options);
  redis.on("ready", () => {
    onConnected?.();
    redis.subscribe(channel).catch(() => undefined);
  });
  redis.on("message", (_channel: string, message: string) => onMessage(message));
  return { start: () => connect(redis), stop: () => redis.disconnect() };
}

const connect = (redis: RedisClient): void => void redis.connect().catch(() => undefined);
