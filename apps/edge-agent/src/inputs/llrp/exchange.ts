import { type Message, type Parameter, readParameters } from "./codec.ts";
import { MESSAGE, TLV } from "./protocol.ts";
import type { Request } from "./requests.ts";

/** Requests of one connection, and their answers. The reader may send reports in between. */
export type Exchange = {
  /**
   * Sends a request and resolves with the parameters of its answer.
   * @throws Error if the reader refuses it, does not answer in time, or the connection ends
   */
  ask(request: Request): Promise<Parameter[]>;
  /** Gives a message to the request that it answers. */
  answer(message: Message): void;
  /** Rejects what waits for an answer. */
  end(error: Error): void;
};

const ANSWER_MS = 10_000;

export function createExchange(send: (message: Message) => void): Exchange {
  const waiting = new Map<
    number,
    { name: string; resolve(parameters: Parameter[]): void; reject(error: Error): void }
  >();
  let lastId = 0;
  const take = (id: number) => {
    const request = waiting.get(id);
    waiting.delete(id);
    return request;
  };
  return {
    ask: ({ name, type, body }) =>
      new Promise((resolve, reject) => {
        lastId += 1;
        const id = lastId;
        const timer = setTimeout(
          () => take(id)?.reject(new Error(`The reader did not answer ${name} in time.`)),
          ANSWER_MS,
        );
        const settled =
          <T>(settle: (value: T) => void) =>
          (value: T) => {
            clearTimeout(timer);
            settle(value);
          };
        waiting.set(id, { name, resolve: settled(resolve), reject: settled(reject) });
        send({ type, id, body });
      }),
    answer: (message) => {
      const request = take(message.id);
      if (request === undefined) return;
      const parameters = readParameters(message.body);
      const refusal = refusalOf(message, parameters);
      if (refusal === undefined) request.resolve(parameters);
      else request.reject(new Error(`The reader refused ${request.name}: ${refusal}`));
    },
    end: (error) => {
      for (const id of [...waiting.keys()]) take(id)?.reject(error);
    },
  };
}

/** LLRPStatus: code, and a text in UTF-8 with its length. Code 0 is success. */
function refusalOf({ type }: Message, parameters: readonly Parameter[]): string | undefined {
  const status = parameters.find((parameter) => parameter.type === TLV.status)?.value;
  if (status === undefined || status.length < 4) return "its answer has no status.";
  const code = status.readUInt16BE(0);
  if (code === 0 && type !== MESSAGE.errorMessage) return undefined;
  return `${status.subarray(4, 4 + status.readUInt16BE(2)).toString("utf8") || "without a reason"} (${code})`;
}
