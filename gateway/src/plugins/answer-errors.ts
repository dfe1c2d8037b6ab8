import { type AppError, notFound } from "@asset-register/runtime";
import fp from "fastify-plugin";
import { asAppError, httpStatus } from "../errors.ts";

export type ErrorPresentation = {
  contentType: string;
  present: (error: AppError, status: number, requestId: string) => unknown;
};

/** Every failure in the surface's own words; what is internal goes to the log alone. */
export const answerErrors = fp<ErrorPresentation>(async (app, { contentType, present }) => {
  app.setErrorHandler((thrown, request, reply) => {
    const error = asAppError(thrown);
    const status = httpStatus(error);
    if (status >= 500) request.log.error({ err: thrown, detail: error.detail }, error.message);
    if (error.retryAfterMs !== undefined) reply.header("retry-after", Math.ceil(error.retryAfterMs / 1000));
    if (status === 401) reply.header("www-authenticate", "Bearer");
    return reply
      .code(status)
      .type(contentType)
      .serializer(JSON.stringify)
      .send(present(error, status, request.id));
  });
  app.setNotFoundHandler(() => {
    throw notFound("There is nothing at this address");
  });
});
