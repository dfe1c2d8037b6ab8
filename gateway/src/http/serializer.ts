import { SerializerSelector } from "@fastify/fast-json-stringify-compiler";
import type { FastifySerializerCompiler } from "fastify";
import { whenCalled } from "./when-called.ts";

/** Compiles the schemas of answers, as Fastify does, but each when it is first needed. */
export function serializerCompiler(): FastifySerializerCompiler<unknown> {
  const compile = SerializerSelector()();
  return ({ httpStatus = "", ...route }) => whenCalled(() => compile({ ...route, httpStatus }));
}
