import { Redis, type RedisOptions } from "ioredis";

const RECONNECT_MS = 50;

/**
 * A client that reconnects until it is disconnected. By itself, ioredis ends when Sentinels announce a failover while it is
 * connecting.
 */
export class SentinelRedis extends Redis {
  #stopped = false;

  constructor(options: Omit<RedisOptions, "replyMapping">) {
    super(options);
    this.on("end", () => {
      if (this.#stopped) return;
      setTimeout(() => {
        if (!this.#stopped && this.status === "end") this.connect().catch(() => undefined);
      }, RECONNECT_MS);
    });
  }

  override connect(): Promise<void> {
    this.#stopped = false;
    return super.connect();
  }

  override disconnect(reconnect = false): void {
    if (!reconnect) this.#stopped = true;
    super.disconnect(reconnect);
  }
}
