import { limits } from "@asset-register/proto/limits";
import {
  Alert,
  Button,
  Card,
  Checkbox,
  Divider,
  Group,
  PasswordInput,
  Radio,
  SimpleGrid,
  Stack,
  Switch,
  Text,
  TextInput,
  Title,
} from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { api, invalidate, type Schemas } from "../../../api/client.ts";
import { ApiError } from "../../../api/problem.ts";
import { startSso } from "../../../api/sso.ts";
import { useSession } from "../../../api/use-session.ts";
import { ifMatch } from "../../../parts/if-match.ts";
import { notifyDone, notifyFailed, reasonOf } from "../../../parts/notify.tsx";
import { useRebasedForm } from "../../../parts/use-rebased-form.ts";
import { type Capability, capabilities } from "../users/capabilities.ts";
import { type ConnectionValues, requestOf, valuesOf } from "./connection-values.ts";
import { CopyField } from "./copy-field.tsx";
import { GroupFields } from "./group-fields.tsx";

type Connection = Schemas["SsoConnection"];
type Props = { connection: Connection | undefined; onRemove: () => void };

/** The connection to the provider. What was typed stays when a request fails. */
export function ConnectionForm({ connection, onRemove }: Props) {
  const { t } = useTranslation();
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<{ text: string; code?: string }>();
  const { form, base, rebase } = useRebasedForm(connection, valuesOf);
  const { values } = form;

  const save = async (sent: ConnectionValues): Promise<void> => {
    setBusy(true);
    setFailure(undefined);
    try {
      const { data } = await api.PUT("/sso", {
        params: { header: base === undefined ? {} : ifMatch(base) },
        body: requestOf(sent, base),
      });
      if (data !== undefined) {
        rebase(data, sent);
        form.setFieldValue("client_secret", "");
      }
      notifyDone(t("ssoSettings.saved"));
      invalidate("/sso");
    } catch (error) {
      await explain(error);
    } finally {
      setBusy(false);
    }
  };

  const explain = async (error: unknown): Promise<void> => {
    if (!(error instanceof ApiError)) return setFailure({ text: reasonOf(error) });
    if (error.status === 412) {
      const { data } = await api.GET("/sso");
      if (data !== undefined) rebase(data, base ? valuesOf(base) : form.getValues());
      return setFailure({ text: t("record.changed") });
    }
    form.setErrors(error.fields);
    const own = ["REAUTHENTICATION_REQUIRED", "SSO_NOT_PROVEN"] as const;
    const known = own.find((code) => code === error.code);
    setFailure({ text: known ? t(`ssoSettings.${known}`) : reasonOf(error), code: error.code });
  };

  return (
    <Card withBorder>
      <form onSubmit={form.onSubmit((all) => void save(all))} method="post">
        <Stack>
          <Title order={2} size="h4">
            {t("ssoSettings.connection")}
          </Title>
          <Text size="sm" c="dimmed">
            {t(base === undefined ? "ssoSettings.first" : "ssoSettings.register")}
          </Text>
          <TextInput
            label={t("ssoSettings.issuer")}
            description={t("ssoSettings.issuerHint")}
            placeholder="https://login.example.com"
            type="url"
            required
            maxLength={limits.url}
            {...form.getInputProps("issuer")}
          />
          {base && (
            <>
              <CopyField label={t("ssoSettings.redirect")} text={base.redirect_uri} />
              <CopyField
                label={t("ssoSettings.logout")}
                description={t("ssoSettings.logoutHint")}
                text={base.backchannel_logout_uri}
              />
              <TextInput
                label={t("ssoSettings.clientId")}
                autoComplete="off"
                maxLength={limits.ssoClient}
                {...form.getInputProps("client_id")}
              />
              <PasswordInput
                label={t("ssoSettings.clientSecret")}
                description={t(base.has_client_secret ? "ssoSettings.secretKept" : "ssoSettings.secretNone")}
                autoComplete="new-password"
                maxLength={limits.ssoClient}
                {...form.getInputProps("client_secret")}
              />
              <Switch
                label={t("ssoSettings.offline")}
                description={t("ssoSettings.offlineHint")}
                {...form.getInputProps("offline", { type: "checkbox" })}
              />
              <Switch
                label={t("ssoSettings.mfa")}
                description={t("ssoSettings.mfaHint")}
                {...form.getInputProps("mfa_by_provider", { type: "checkbox" })}
              />
              <Divider label={t("ssoSettings.people")} labelPosition="left" />
              <Switch
                label={t("ssoSettings.provision")}
                description={t("ssoSettings.provisionHint")}
                {...form.getInputProps("provision", { type: "checkbox" })}
              />
              <Checkbox.Group
                label={t("ssoSettings.defaults")}
                description={t("ssoSettings.defaultsHint")}
                value={values.default_capabilities}
                onChange={(names) => form.setFieldValue("default_capabilities", names as Capability[])}
              >
                <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="xs" mt="xs">
                  {capabilities.map((name) => (
                    <Checkbox key={name} value={name} label={t(`capability.${name}`)} />
                  ))}
                </SimpleGrid>
              </Checkbox.Group>
              <TextInput
                label={t("ssoSettings.claim")}
                description={t("ssoSettings.claimHint")}
                placeholder="groups"
                maxLength={limits.name}
                {...form.getInputProps("group_claim")}
              />
              {values.group_claim.trim() !== "" && (
                <GroupFields
                  groups={values.groups}
                  errors={form.errors}
                  onChange={(groups) => form.setFieldValue("groups", groups)}
                />
              )}
              <Divider label={t("ssoSettings.require")} labelPosition="left" />
              <Radio.Group
                aria-label={t("ssoSettings.require")}
                description={t("ssoSettings.requireHint")}
                {...form.getInputProps("require_sso")}
              >
                <Stack gap="xs" mt="xs">
                  {(["off", "on", "all"] as const).map((value) => (
                    <Radio
                      key={value}
                      value={value}
                      label={t(`ssoSettings.require_${value}`)}
                      description={t(`ssoSettings.require_${value}_hint`)}
                    />
                  ))}
                </Stack>
              </Radio.Group>
            </>
          )}
          {failure && (
            <Alert color="red" role="alert">
              <Stack gap="xs" align="flex-start">
                {failure.text}
                {(failure.code === "REAUTHENTICATION_REQUIRED" || failure.code === "SSO_NOT_PROVEN") && (
                  <FreshSignIn />
                )}
              </Stack>
            </Alert>
          )}
          <Group justify="space-between">
            {base ? (
              <Button variant="subtle" color="red" onClick={onRemove}>
                {t("ssoSettings.remove")}
              </Button>
            ) : (
              <span />
            )}
            <Button type="submit" loading={busy}>
              {t("action.save")}
            </Button>
          </Group>
        </Stack>
      </form>
    </Card>
  );
}

/** Leads to the provider, and back to this page with a sign-in that is recent. */
function FreshSignIn() {
  const { t } = useTranslation();
  const { session } = useSession();
  const start = () => startSso(session?.user.email ?? "", { fresh: true }).catch(notifyFailed);
  return (
    <Button size="xs" variant="default" onClick={() => void start()}>
      {t("signIn.company")}
    </Button>
  );
}
