import {
  ConfirmTotpRequestSchema,
  LoginMfaRequestSchema,
  LoginPasskeyRequestSchema,
  MfaService,
  ReauthenticateRequestSchema,
} from "@asset-register/proto/assetregister/identity/v1/mfa_pb";
import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import Type from "typebox";
import { clientAddressOf } from "../client-address.ts";
import { forward } from "../http/context.ts";
import { createRefreshCookies } from "../http/refresh-cookies.ts";
import { requestMessage } from "../http/request-message.ts";
import { required } from "../http/required.ts";
import { declared } from "../http/routes.ts";
import { body, idParams, password } from "../http/schemas.ts";
import {
  assertionSchema,
  code,
  codesSchema,
  methodsSchema,
  mfaSchema,
  presentMethods,
  requestOptionsSchema,
  startedTotpSchema,
} from "../resources/mfa.ts";
import { cookie, device, deviceUuid, presentSession, sessionSchema } from "../resources/session.ts";
import { userAccount } from "../resources/user.ts";
import type { Surface } from "../surface.ts";

const confirmationSchema = body({ code });
const toConfirmation = requestMessage(ConfirmTotpRequestSchema, confirmationSchema);

const loginMfaFields = {
  challenge: Type.String({ minLength: 1, maxLength: 2000, examples: ["AmsxQ2hhbGxlbmdl"] }),
  device_uuid: deviceUuid,
  code: Type.Optional(code),
  recovery_code: Type.Optional(Type.String({ minLength: 1, maxLength: 50, examples: ["7k2mx-q0d9h"] })),
  assertion: Type.Optional(assertionSchema),
};
const loginMfaSchema = body(
  { ...loginMfaFields, cookie },
  {
    description: "With one of `code`, `recovery_code` and `assertion`",
    examples: [
      { challenge: "AmsxQ2hhbGxlbmdl", device_uuid: "0b4f8a5e-6d0c-4c0e-9a53-3d8f0f4f2a11", code: "123456" },
    ],
  },
);
const toLoginMfa = requestMessage(LoginMfaRequestSchema, body(loginMfaFields));

const loginPasskeyFields = { assertion: assertionSchema, ...device };
const loginPasskeySchema = body({ ...loginPasskeyFields, cookie });
const toLoginPasskey = requestMessage(LoginPasskeyRequestSchema, body(loginPasskeyFields));

const reauthenticationSchema = body(
  {
    password: Type.Optional(password),
    code: Type.Optional(code),
    assertion: Type.Optional(assertionSchema),
  },
  {
    description:
      "With a second factor: a passkey that verifies its user, or the password and one of the others",
    examples: [{ password: "correct horse battery", code: "123456" }],
  },
);
const toReauthentication = requestMessage(ReauthenticateRequestSchema, reauthenticationSchema);

const methodsOfSessionSchema = Type.Object(
  {
    password: Type.Boolean({ description: "The account has a password", examples: [true] }),
    sso: Type.Boolean({
      description: "The user can sign in again at `/sso/start` with `fresh=true`, for a new recent session",
      examples: [false],
    }),
    methods: methodsSchema,
    passkey_options: Type.Optional(requestOptionsSchema),
  },
  { title: "ReauthenticationMethods" },
);

const own = { signedIn: true, beforeEnrolment: true } as const;
const UNCONDITIONAL = "Factors have no revision: a request names all that it changes";
const NONE = Type.Object({});

/** Second factors, and the sign-ins that use them (sign-in.md). */
export const mfa: FastifyPluginAsyncTypebox<Surface> = async (app, { clients, config }) => {
  const cookies = createRefreshCookies(config);
  const {
    getMfa,
    startTotp,
    confirmTotp,
    removeTotp,
    createRecoveryCodes,
    resetMfa,
    loginMfa,
    startPasskeyLogin,
    loginPasskey,
    startReauthentication,
    reauthenticate,
  } = MfaService.method;

  app.get(
    "/me/mfa",
    {
      config: declared(own, getMfa),
      schema: { summary: "The caller's second factors", response: { 200: mfaSchema } },
    },
    async (request, reply) => {
      const { totp, passkeys, recoveryCodesLeft, password } = await clients.mfa.getMfa(
        {},
        forward(request, reply),
      );
      return { totp, passkeys, recovery_codes_left: recoveryCodesLeft, password };
    },
  );

  app.post(
    "/me/mfa/totp",
    {
      config: { ...declared(own, startTotp), unconditional: UNCONDITIONAL },
      schema: { summary: "Make a secret for an app that shows codes", response: { 200: startedTotpSchema } },
    },
    async (request, reply) => {
      const { secret, uri } = await clients.mfa.startTotp({}, forward(request, reply));
      return { secret, uri };
    },
  );

  app.post(
    "/me/mfa/totp/confirm",
    {
      config: { ...declared(own, confirmTotp), unconditional: UNCONDITIONAL },
      schema: {
        summary: "Turn the codes of an app on, within 10 minutes",
        body: confirmationSchema,
        response: { 200: codesSchema },
      },
    },
    async (request, reply) => {
      const answer = await clients.mfa.confirmTotp(toConfirmation(request.body), forward(request, reply));
      return { recovery_codes: answer.recoveryCodes };
    },
  );

  app.delete(
    "/me/mfa/totp",
    {
      config: { ...declared(own, removeTotp), unconditional: UNCONDITIONAL },
      schema: { summary: "Turn the codes of an app off", response: { 204: Type.Null() } },
    },
    async (request, reply) => {
      await clients.mfa.removeTotp({}, forward(request, reply));
      reply.code(204);
      return null;
    },
  );

  app.post(
    "/me/mfa/recovery-codes",
    {
      config: { ...declared(own, createRecoveryCodes), unconditional: UNCONDITIONAL },
      schema: { summary: "Make new recovery codes; the earlier ones end", response: { 200: codesSchema } },
    },
    async (request, reply) => {
      const answer = await clients.mfa.createRecoveryCodes({}, forward(request, reply));
      return { recovery_codes: answer.recoveryCodes };
    },
  );

  app.post(
    "/users/:id/mfa/reset",
    {
      config: declared({ capability: "admin" }, resetMfa),
      schema: {
        summary: "Remove all second factors of a user and end the user's sessions",
        params: idParams,
        response: { 200: userAccount.schema },
      },
    },
    async (request, reply) => {
      const answer = await clients.mfa.resetMfa({ id: request.params.id }, forward(request, reply));
      return userAccount.present(required(answer.user));
    },
  );

  app.post(
    "/login/mfa",
    {
      config: declared({ public: true }, loginMfa),
      schema: {
        summary: "The second step of a sign-in",
        body: loginMfaSchema,
        response: { 200: sessionSchema },
      },
    },
    async (request, reply) => {
      const { cookie, ...proof } = request.body;
      if (cookie) cookies.requireUsable();
      const message = { ...toLoginMfa(proof), clientAddress: clientAddressOf(request) };
      const session = presentSession(await clients.signIns.mfa.loginMfa(message, forward(request, reply)));
      return cookie ? cookies.keep(reply, session) : session;
    },
  );

  app.post(
    "/login/passkey/options",
    {
      config: declared({ public: true }, startPasskeyLogin),
      schema: {
        summary: "Options for a sign-in with a passkey alone",
        response: { 200: Type.Object({ options: requestOptionsSchema }) },
      },
    },
    async (request, reply) => {
      const clientAddress = clientAddressOf(request);
      const answer = await clients.signIns.mfa.startPasskeyLogin({ clientAddress }, forward(request, reply));
      return { options: required(answer.options) };
    },
  );

  app.post(
    "/login/passkey",
    {
      config: declared({ public: true }, loginPasskey),
      schema: {
        summary: "Sign in with a passkey alone",
        body: loginPasskeySchema,
        response: { 200: sessionSchema },
      },
    },
    async (request, reply) => {
      const { cookie, ...given } = request.body;
      if (cookie) cookies.requireUsable();
      const message = { ...toLoginPasskey(given), clientAddress: clientAddressOf(request) };
      const session = presentSession(
        await clients.signIns.mfa.loginPasskey(message, forward(request, reply)),
      );
      return cookie ? cookies.keep(reply, session) : session;
    },
  );

  app.post(
    "/me/reauthenticate/options",
    {
      config: { ...declared(own, startReauthentication), unconditional: UNCONDITIONAL },
      schema: {
        summary: "The methods of a reauthentication, with options for a passkey",
        response: { 200: methodsOfSessionSchema },
      },
    },
    async (request, reply) => {
      const { password, sso, methods, passkeyOptions } = await clients.mfa.startReauthentication(
        {},
        forward(request, reply),
      );
      return {
        password,
        sso,
        methods: presentMethods(methods),
        ...(passkeyOptions && { passkey_options: passkeyOptions }),
      };
    },
  );

  app.post(
    "/me/reauthenticate",
    {
      config: { ...declared(own, reauthenticate), unconditional: UNCONDITIONAL },
      schema: {
        summary: "Confirm who you are, for requests that need a recent sign-in",
        body: reauthenticationSchema,
        response: { 200: NONE },
      },
    },
    async (request, reply) => {
      await clients.signIns.mfa.reauthenticate(toReauthentication(request.body), forward(request, reply));
      return {};
    },
  );
};
