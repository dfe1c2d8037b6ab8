import { Badge, Button, Group, Stack, Text, Title } from "@mantine/core";
import { IconKey } from "@tabler/icons-react";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { api, queries, type Schemas } from "../../../api/client.ts";
import { ActionDialog } from "../../../parts/action-dialog.tsx";
import { supportsPasskeys } from "../../../parts/passkey.ts";
import { CardLine, RecordCard } from "../../../parts/record-card.tsx";
import { Failed, Loading } from "../../../parts/states.tsx";
import { useFormat } from "../../../parts/workspace.ts";
import { CHANGED } from "./changed.ts";
import { AddPasskeyDialog, RemovePasskeyDialog, RenamePasskeyDialog } from "./passkey-dialogs.tsx";
import { RecoveryCodes } from "./recovery-codes.tsx";
import { TotpDialog } from "./totp-dialog.tsx";

type Passkey = Schemas["Passkey"];
type Open =
  | { dialog: "totp" | "totpOff" | "passkey" | "codes" }
  | { dialog: "rename" | "remove"; passkey: Passkey };

/** The user's second factors. `onSetUp` is called when one was set up, and its recovery codes were kept. */
export function Security({ onSetUp }: { onSetUp?: () => void }) {
  const { t } = useTranslation();
  const [open, setOpen] = useState<Open>();
  const [codes, setCodes] = useState<string[]>();
  const mfa = queries.useQuery("get", "/me/mfa");
  const passkeys = queries.useQuery("get", "/me/passkeys");
  if (mfa.isPending || passkeys.isPending) return <Loading />;
  if (mfa.isError) return <Failed error={mfa.error} retry={() => void mfa.refetch()} />;
  if (passkeys.isError) return <Failed error={passkeys.error} retry={() => void passkeys.refetch()} />;

  const onClose = () => setOpen(undefined);
  const setUp = (recoveryCodes: string[]): void => {
    if (recoveryCodes.length > 0) setCodes(recoveryCodes);
    else onSetUp?.();
  };
  const { totp, recovery_codes_left: left } = mfa.data;
  const hasFactor = totp || passkeys.data.data.length > 0;
  return (
    <Stack gap="lg">
      <Section
        title={t("mfa.passkeys")}
        text={t("mfa.passkeysText")}
        action={
          <Button
            size="xs"
            variant="default"
            leftSection={<IconKey size={16} aria-hidden />}
            disabled={!supportsPasskeys()}
            onClick={() => setOpen({ dialog: "passkey" })}
          >
            {t("mfa.addPasskey")}
          </Button>
        }
      >
        {!supportsPasskeys() && <CardLine>{t("mfa.unsupported")}</CardLine>}
        {passkeys.data.data.length === 0 && <CardLine>{t("mfa.noPasskeys")}</CardLine>}
        {passkeys.data.data.map((passkey) => (
          <PasskeyCard key={passkey.id} passkey={passkey} onOpen={(dialog) => setOpen({ dialog, passkey })} />
        ))}
      </Section>
      <Section
        title={t("mfa.app")}
        text={t("mfa.appText")}
        badge={
          <Badge variant="light" tt="none" color={totp ? undefined : "gray"}>
            {t(totp ? "mfa.on" : "mfa.off")}
          </Badge>
        }
        action={
          <>
            <Button size="xs" variant="default" onClick={() => setOpen({ dialog: "totp" })}>
              {t(totp ? "mfa.setUpAgain" : "mfa.setUp")}
            </Button>
            {totp && (
              <Button size="xs" variant="subtle" color="red" onClick={() => setOpen({ dialog: "totpOff" })}>
                {t("mfa.turnOff")}
              </Button>
            )}
          </>
        }
      />
      {hasFactor && (
        <Section
          title={t("mfa.recovery")}
          text={`${t("mfa.recoveryLeft", { count: left })} ${t("mfa.recoveryText")}`}
          action={
            <Button size="xs" variant="default" onClick={() => setOpen({ dialog: "codes" })}>
              {t("mfa.newCodes")}
            </Button>
          }
        />
      )}
      {open?.dialog === "totp" && <TotpDialog onSetUp={setUp} onClose={onClose} />}
      {open?.dialog === "passkey" && <AddPasskeyDialog onSetUp={setUp} onClose={onClose} />}
      {open?.dialog === "rename" && <RenamePasskeyDialog passkey={open.passkey} onClose={onClose} />}
      {open?.dialog === "remove" && <RemovePasskeyDialog passkey={open.passkey} onClose={onClose} />}
      {open?.dialog === "totpOff" && (
        <ActionDialog
          title={t("mfa.app")}
          submit={t("mfa.turnOff")}
          done={t("mfa.turnedOff")}
          changes={CHANGED}
          danger
          onClose={onClose}
          action={() => api.DELETE("/me/mfa/totp")}
        >
          <Text size="sm">{t("mfa.turnOffText")}</Text>
        </ActionDialog>
      )}
      {open?.dialog === "codes" && (
        <ActionDialog
          title={t("mfa.newCodesTitle")}
          submit={t("mfa.newCodes")}
          done={t("mfa.newCodesDone")}
          changes={CHANGED}
          onClose={onClose}
          action={async () => {
            const { data } = await api.POST("/me/mfa/recovery-codes");
            setCodes(data?.recovery_codes);
          }}
        >
          <Text size="sm">{t("mfa.newCodesText")}</Text>
        </ActionDialog>
      )}
      {codes && (
        <RecoveryCodes
          codes={codes}
          onClose={() => {
            setCodes(undefined);
            onSetUp?.();
          }}
        />
      )}
    </Stack>
  );
}

type SectionProps = {
  title: string;
  text: string;
  badge?: ReactNode;
  action: ReactNode;
  children?: ReactNode;
};

function Section({ title, text, badge, action, children }: SectionProps) {
  return (
    <Stack gap="xs">
      <Group justify="space-between" align="flex-start" gap="sm">
        <Stack gap={2} flex="1 1 240px" miw={0}>
          <Group gap="xs">
            <Title order={3} size="h6">
              {title}
            </Title>
            {badge}
          </Group>
          <CardLine>{text}</CardLine>
        </Stack>
        <Group gap="xs">{action}</Group>
      </Group>
      {children}
    </Stack>
  );
}

type PasskeyCardProps = { passkey: Passkey; onOpen: (dialog: "rename" | "remove") => void };

function PasskeyCard({ passkey, onOpen }: PasskeyCardProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const { name, created_at, last_used_at, synced, unusable } = passkey;
  return (
    <RecordCard
      title={name}
      badges={
        (unusable || synced) && (
          <Badge variant="light" tt="none" color={unusable ? "red" : "gray"}>
            {t(unusable ? "mfa.unusable" : "mfa.synced")}
          </Badge>
        )
      }
      actions={
        <>
          <Button
            size="xs"
            variant="default"
            aria-label={`${t("mfa.rename")}: ${name}`}
            onClick={() => onOpen("rename")}
          >
            {t("mfa.rename")}
          </Button>
          <Button
            size="xs"
            variant="subtle"
            color="red"
            aria-label={`${t("mfa.removePasskey")}: ${name}`}
            onClick={() => onOpen("remove")}
          >
            {t("mfa.removePasskey")}
          </Button>
        </>
      }
    >
      {created_at && <CardLine>{t("mfa.added", { when: format.ago(created_at) })}</CardLine>}
      {last_used_at && <CardLine>{t("mfa.used", { when: format.ago(last_used_at) })}</CardLine>}
    </RecordCard>
  );
}
