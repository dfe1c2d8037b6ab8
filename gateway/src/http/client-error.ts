import type { Socket } from "node:net";
import { AppError } from "@asset-register/runtime";
import { SECURITY_HEADERS } from "../plugins/security-headers.ts";
import { problem } from "./error-body.ts";

type ClientError = { status: number; code: string; message: string };

/** Node's code of a request that took too long to arrive. */
export const REQUEST_TIMEOUT = "ERR_HTTP_REQUEST_TIMEOUT";

const BY_NODE_CODE: Record<string, ClientError> = {
  [REQUEST_TIMEOUT]: {
    status: 408,
    code: "MALFORMED",
    message: "The request did not arrive in time.",
  },
  HPE_HEADER_OVERFLOW: { status: 431, code: "MALFORMED", message: "The headers are larger than 16 KiB." },
};

const NOT_HTTP: ClientError = {
  status: 400,
  code: "MALFORMED",
  message: "This is not a valid HTTP request.",
};

/** Answers bytes that are not a valid HTTP request with a problem, if the socket is still writable. */
export function answerClientError(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code !== "ECONNRESET" && socket.writable) {
    const { status, code, message } = BY_NODE_CODE[error.code ?? ""] ?? NOT_HTTP;
    const { contentType, present } = problem;
    const text = JSON.stringify(present(new AppError({ kind: "invalid", code, message }), status, ""));
    const headers = {
      ...SECURITY_HEADERS,
      "content-type": contentType,
      "content-length": Buffer.byteLength(text),
      connection: "close",
    };
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    socket.write(`HTTP/1.1 ${status} -\r\n${lines.join("")}\r\n${text}`);
  }
  socket.destroy(error);
}
