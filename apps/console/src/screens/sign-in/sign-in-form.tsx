import { Alert, Anchor, Button, PasswordInput, Stack, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { IconFingerprint } from "@tabler/icons-react";
import { lazy, Suspense, useState } from "react";
import { useTranslation } from "react-i18next";
import { session } from "../../api/authorised-fetch.ts";
import { ApiError } from "../../api/problem.ts";
import { reasonOf } from "../../parts/notify.tsx";
import { assertPasskey, PasskeyCancelled, supportsPasskeys } from "../../parts/passkey.ts";
import { Loading } from "../../parts/states.tsx";
import type { Credentials } from "../../parts/use-demo.ts";
import { loadTexts } from "../../text/text.ts";
import { CompanyForm } from "./company-form.tsx";

const SecondStep = lazy(async () => {
  const [module] = await Promise.all([import("./second-step.tsx"), loadTexts(["mfa"])]);
  return { default: module.SecondStep };
});

type SigningIn = {
  signIn: (credentials: Credentials) => Promise<void>;
  signInWithPasskey: () => Promise<void>;
  busy: boolean;
  error: string | undefined;
  /** The answer that asks for a second factor. */
  step: ApiError["problem"] | undefined;
  /** Begins again, with an error to show. */
  restart: (error?: string) => void;
};

/** Signs in. The page changes by itself when it has succeeded. */
export function useSignIn(): SigningIn {
  const { t } = useTranslation();
  const [error, setError] = useState<string>();
  const [busy, setBusy] = useState(false);
  const [step, setStep] = useState<ApiError["problem"]>();
  const attempt = async (begin: () => Promise<void>): Promise<void> => {
    setBusy(true);
    setError(undefined);
    await begin().catch((reason: unknown) => {
      if (reason instanceof ApiError && reason.code === "MFA_REQUIRED") setStep(reason.problem);
      else if (reason instanceof PasskeyCancelled) setError(t("signIn.passkeyFailed"));
      else setError(reasonOf(reason));
    });
    setBusy(false);
  };
  return {
    signIn: (credentials) => attempt(() => session.signIn(credentials)),
    signInWithPasskey: () =>
      attempt(async () => session.signInWithPasskey(await assertPasskey(await session.passkeyOptions()))),
    restart(reason) {
      setStep(undefined);
      setError(reason);
    },
    ...{ busy, error, step },
  };
}

type Props = SigningIn & { email?: string };

export function SignInForm({ signIn, signInWithPasskey, busy, error, step, restart, email = "" }: Props) {
  const { t } = useTranslation();
  const [byCompany, setByCompany] = useState(false);
  const form = useForm<Credentials>({ initialValues: { email, password: "" } });
  if (step !== undefined)
    return (
      <Suspense fallback={<Loading />}>
        <SecondStep step={step} onRestart={restart} />
      </Suspense>
    );
  if (byCompany) return <CompanyForm email={form.values.email} onPassword={() => setByCompany(false)} />;
  return (
    <form onSubmit={form.onSubmit((values) => void signIn(values))} method="post">
      <Stack gap="sm">
        <TextInput
          label={t("signIn.email")}
          type="email"
          autoComplete="username"
          required
          withAsterisk={false}
          {...form.getInputProps("email")}
        />
        <PasswordInput
          label={t("signIn.password")}
          autoComplete="current-password"
          required
          withAsterisk={false}
          data-autofocus={email !== "" || undefined}
          {...form.getInputProps("password")}
        />
        {error && (
          <Alert color="red" role="alert" py="xs">
            {error}
          </Alert>
        )}
        <Button type="submit" size="md" loading={busy} fullWidth>
          {t("signIn.submit")}
        </Button>
        {supportsPasskeys() && (
          <Button
            variant="default"
            size="md"
            fullWidth
            disabled={busy}
            leftSection={<IconFingerprint size={19} stroke={1.6} aria-hidden />}
            onClick={() => void signInWithPasskey()}
          >
            {t("signIn.passkey")}
          </Button>
        )}
        {/* Above a page, the link would lose what was typed. */}
        {email === "" && (
          <Anchor href="/app/forgot" size="sm" ta="center">
            {t("signIn.forgot")}
          </Anchor>
        )}
        <Button variant="subtle" onClick={() => setByCompany(true)} fullWidth>
          {t("signIn.company")}
        </Button>
      </Stack>
    </form>
  );
}
