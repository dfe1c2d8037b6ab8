export { type Answer, type Api, createApi, createUserApi, type Demo, type DemoWorkspace } from "./api.ts";
export { type BatchHeaders, type ReaderKey, readerKey, signAgentSync, signBatch, signEvent } from "./sign.ts";
