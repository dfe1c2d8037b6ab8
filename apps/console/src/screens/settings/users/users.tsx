import { Badge, Button, Group, Menu } from "@mantine/core";
import { IconUserPlus } from "@tabler/icons-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { api, type Schemas } from "../../../api/client.ts";
import { EditButton } from "../../../parts/edit-button.tsx";
import { PagedList } from "../../../parts/paged-list.tsx";
import { CardLine, RecordCard } from "../../../parts/record-card.tsx";
import { RowMenu } from "../../../parts/row-menu.tsx";
import { type Secret, SecretDialog } from "../../../parts/secret-dialog.tsx";
import { usePages } from "../../../parts/use-pages.ts";
import { useFormat } from "../../../parts/workspace.ts";
import { isCapability } from "./capabilities.ts";
import { InviteDialog } from "./invite-dialog.tsx";
import { ResetDialog, ResetMfaDialog, UserDialog, UserStatusDialog } from "./user-dialogs.tsx";

type Open = { dialog: "invite"; user?: User } | { dialog: "edit" | "status" | "reset" | "mfa"; user: User };
type User = Schemas["UserAccount"];

/** The users of the workspace, and the invited ones. */
export function Users() {
  const { t } = useTranslation();
  const [open, setOpen] = useState<Open>();
  const [secret, setSecret] = useState<Secret>();
  const found = usePages("/users", "settings", (query, signal) =>
    api.GET("/users", { params: { query }, signal }),
  );
  const onClose = () => setOpen(undefined);
  // Without a token the server has mailed the invitation.
  const onInvited = ({ name, token }: Schemas["InvitedUser"]) =>
    token &&
    setSecret({
      title: t("users.linkTitle", { name }),
      label: t("users.link"),
      text: linkTo("invitation", token),
    });
  // Without a token the server has mailed the link.
  const onReset = ({ name, token }: Schemas["UserPasswordReset"]) =>
    token &&
    setSecret({
      title: t("users.resetLinkTitle", { name }),
      label: t("users.resetLink"),
      text: linkTo("reset", token),
    });
  return (
    <>
      <Group justify="flex-end" mb="sm">
        <Button
          leftSection={<IconUserPlus size={17} aria-hidden />}
          onClick={() => setOpen({ dialog: "invite" })}
        >
          {t("users.invite")}
        </Button>
      </Group>
      <PagedList found={found} empty={t("users.none")}>
        {(user) => <UserCard key={user.id} user={user} onOpen={(dialog) => setOpen({ dialog, user })} />}
      </PagedList>
      {open?.dialog === "invite" && (
        <InviteDialog {...(open.user && { user: open.user })} onInvited={onInvited} onClose={onClose} />
      )}
      {open?.dialog === "edit" && <UserDialog user={open.user} onClose={onClose} />}
      {open?.dialog === "reset" && <ResetDialog user={open.user} onReset={onReset} onClose={onClose} />}
      {open?.dialog === "status" && <UserStatusDialog user={open.user} onClose={onClose} />}
      {open?.dialog === "mfa" && <ResetMfaDialog user={open.user} onClose={onClose} />}
      {secret && <SecretDialog secret={secret} onClose={() => setSecret(undefined)} />}
    </>
  );
}

/** The token is in the fragment, which is in no log. */
const linkTo = (page: "invitation" | "reset", token: string): string =>
  `${window.location.origin}/app/${page}#${token}`;

type CardProps = { user: User; onOpen: (dialog: Open["dialog"]) => void };

function UserCard({ user, onOpen }: CardProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const invited = user.status === "invited";
  const names = user.capabilities.map((name) => (isCapability(name) ? t(`capability.${name}`) : name));
  return (
    <RecordCard
      title={user.name}
      badges={
        <>
          {user.admin && (
            <Badge variant="light" tt="none">
              {t("users.admin")}
            </Badge>
          )}
          {user.mfa && (
            <Badge variant="light" tt="none" color="gray">
              {t("users.mfa")}
            </Badge>
          )}
          {user.status !== "active" && (
            <Badge variant="light" tt="none" color={invited ? "yellow" : "gray"}>
              {t(`users.${user.status}`)}
            </Badge>
          )}
        </>
      }
      actions={
        <>
          {invited && (
            <Button size="xs" variant="default" onClick={() => onOpen("invite")}>
              {t("users.inviteAgain")}
            </Button>
          )}
          <EditButton name={user.name} onClick={() => onOpen("edit")} />
          {user.status === "active" && (
            <RowMenu name={user.name}>
              <Menu.Item onClick={() => onOpen("reset")}>{t("users.reset")}</Menu.Item>
              {user.mfa && <Menu.Item onClick={() => onOpen("mfa")}>{t("users.resetMfa")}</Menu.Item>}
            </RowMenu>
          )}
          {!invited && (
            <Button
              size="xs"
              variant="subtle"
              color={user.status === "active" ? "red" : undefined}
              aria-label={`${t(user.status === "active" ? "settings.disable" : "settings.enable")}: ${user.name}`}
              onClick={() => onOpen("status")}
            >
              {t(user.status === "active" ? "settings.disable" : "settings.enable")}
            </Button>
          )}
        </>
      }
    >
      <CardLine>{user.email}</CardLine>
      {!user.admin && <CardLine>{names.join(", ") || t("users.noRights")}</CardLine>}
      {user.last_signed_in_at && (
        <CardLine>{t("users.lastSignIn", { when: format.ago(user.last_signed_in_at) })}</CardLine>
      )}
      {invited && user.invitation_expires_at && (
        <CardLine>{t("users.expires", { when: format.time(user.invitation_expires_at) })}</CardLine>
      )}
    </RecordCard>
  );
}
