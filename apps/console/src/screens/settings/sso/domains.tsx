import { limits } from "@asset-register/proto/limits";
import { Badge, Button, Card, Group, Stack, Text, TextInput, Title } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { api, invalidate, type Schemas } from "../../../api/client.ts";
import { ApiError } from "../../../api/problem.ts";
import { ActionDialog } from "../../../parts/action-dialog.tsx";
import { notifyDone, reasonOf } from "../../../parts/notify.tsx";
import { PagedList } from "../../../parts/paged-list.tsx";
import { CardLine, RecordCard } from "../../../parts/record-card.tsx";
import { usePages } from "../../../parts/use-pages.ts";
import { useFormat } from "../../../parts/workspace.ts";
import { CopyField } from "./copy-field.tsx";

type Domain = Schemas["SsoDomain"];

/** The domains of the company's addresses, each with the TXT record that shows whose it is. */
export function Domains() {
  const { t } = useTranslation();
  const [removing, setRemoving] = useState<Domain>();
  const found = usePages("/sso/domains", "settings", (query, signal) =>
    api.GET("/sso/domains", { params: { query }, signal }),
  );
  return (
    <Card withBorder>
      <Stack gap="sm">
        <Title order={2} size="h4">
          {t("ssoSettings.domains")}
        </Title>
        <Text size="sm" c="dimmed">
          {t("ssoSettings.domainsText")}
        </Text>
        <PagedList found={found} empty={t("ssoSettings.noDomains")}>
          {(domain) => (
            <DomainCard key={domain.domain} domain={domain} onRemove={() => setRemoving(domain)} />
          )}
        </PagedList>
        <NewDomain />
        {removing && (
          <ActionDialog
            title={t("ssoSettings.removeDomainTitle", { domain: removing.domain })}
            submit={t("ssoSettings.removeDomain")}
            done={t("ssoSettings.domainRemoved", { domain: removing.domain })}
            changes={["/sso/domains"]}
            danger
            action={() =>
              api.DELETE("/sso/domains/{domain}", { params: { path: { domain: removing.domain } } })
            }
            onClose={() => setRemoving(undefined)}
          >
            <Text size="sm">{t("ssoSettings.removeDomainText")}</Text>
          </ActionDialog>
        )}
      </Stack>
    </Card>
  );
}

const colours = { pending: "yellow", verified: "teal", lost: "red" } as const;

function DomainCard({ domain, onRemove }: { domain: Domain; onRemove: () => void }) {
  const { t } = useTranslation();
  const format = useFormat();
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string>();
  const { domain: name, status, missing_since } = domain;
  const verify = async (): Promise<void> => {
    setBusy(true);
    setFailure(undefined);
    try {
      await api.POST("/sso/domains/{domain}/verify", { params: { path: { domain: name } } });
      notifyDone(t("ssoSettings.verifiedDone", { domain: name }));
      invalidate("/sso/domains");
    } catch (error) {
      setFailure(textOf(error));
    } finally {
      setBusy(false);
    }
  };
  const textOf = (error: unknown): string => {
    if (!(error instanceof ApiError)) return reasonOf(error);
    if (error.status === 422) return t("ssoSettings.notYet");
    return error.code === "SSO_DOMAIN_TAKEN" ? t("ssoSettings.taken") : reasonOf(error);
  };
  return (
    <RecordCard
      title={name}
      badges={
        <Badge variant="light" color={colours[status]} c="var(--mantine-color-text)" tt="none">
          {t(`ssoSettings.status_${status}`)}
        </Badge>
      }
      actions={
        <>
          {(status !== "verified" || missing_since !== null) && (
            <Button
              size="xs"
              variant="default"
              loading={busy}
              aria-label={`${t("ssoSettings.verify")}: ${name}`}
              onClick={() => void verify()}
            >
              {t("ssoSettings.verify")}
            </Button>
          )}
          <Button
            size="xs"
            variant="subtle"
            color="red"
            aria-label={`${t("ssoSettings.removeDomain")}: ${name}`}
            onClick={onRemove}
          >
            {t("ssoSettings.removeDomain")}
          </Button>
        </>
      }
    >
      {missing_since !== null && (
        <CardLine>{t("ssoSettings.missing", { when: format.ago(missing_since) })}</CardLine>
      )}
      {(status !== "verified" || missing_since !== null) && (
        <Stack gap="xs" mt="xs">
          <Text size="sm">{t("ssoSettings.publish")}</Text>
          <CopyField label={t("ssoSettings.recordName")} text={domain.record_name} />
          <CopyField label={t("ssoSettings.recordValue")} text={domain.record_value} />
        </Stack>
      )}
      {failure && (
        <Text size="sm" c="red" role="alert" mt="xs">
          {failure}
        </Text>
      )}
    </RecordCard>
  );
}

function NewDomain() {
  const { t } = useTranslation();
  const [busy, setBusy] = useState(false);
  const form = useForm({ initialValues: { domain: "" } });
  const add = async (domain: string): Promise<void> => {
    setBusy(true);
    try {
      await api.POST("/sso/domains", { body: { domain: domain.trim() } });
      invalidate("/sso/domains");
      form.reset();
    } catch (error) {
      form.setErrors({
        domain: error instanceof ApiError ? (error.fields.domain ?? reasonOf(error)) : reasonOf(error),
      });
    } finally {
      setBusy(false);
    }
  };
  return (
    <form onSubmit={form.onSubmit(({ domain }) => void add(domain))} method="post">
      <Group align="flex-end" gap="sm">
        <TextInput
          label={t("ssoSettings.newDomain")}
          placeholder="example.com"
          required
          maxLength={limits.domain}
          style={{ flex: "1 1 220px" }}
          {...form.getInputProps("domain")}
        />
        <Button type="submit" variant="default" loading={busy}>
          {t("ssoSettings.addDomain")}
        </Button>
      </Group>
    </form>
  );
}
