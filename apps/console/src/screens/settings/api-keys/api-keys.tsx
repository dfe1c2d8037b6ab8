import { Button, Group } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { api, type Schemas } from "../../../api/client.ts";
import { PagedList } from "../../../parts/paged-list.tsx";
import { type Secret, SecretDialog } from "../../../parts/secret-dialog.tsx";
import { usePages } from "../../../parts/use-pages.ts";
import { ApiKeyCard } from "./api-key-card.tsx";
import { RevokeKeyDialog, RotateKeyDialog } from "./api-key-dialogs.tsx";
import { NewKeyDialog } from "./new-key-dialog.tsx";

type Key = Schemas["ApiKey"];
type Open = { dialog: "create" } | { dialog: "rotate" | "revoke"; apiKey: Key };

/** The keys of programs. */
export function ApiKeys() {
  const { t } = useTranslation();
  const [open, setOpen] = useState<Open>();
  const [secret, setSecret] = useState<Secret>();
  const found = usePages("/api-keys", "settings", (query, signal) =>
    api.GET("/api-keys", { params: { query: { ...query, expand: ["user"] } }, signal }),
  );
  const onClose = () => setOpen(undefined);
  const onText = ({ name, key }: Schemas["ApiKeyWithText"]) =>
    setSecret({ title: name, label: t("apiKeys.text"), text: key });
  return (
    <>
      <Group justify="flex-end" mb="sm">
        <Button
          leftSection={<IconPlus size={17} aria-hidden />}
          onClick={() => setOpen({ dialog: "create" })}
        >
          {t("apiKeys.new")}
        </Button>
      </Group>
      <PagedList found={found} empty={t("apiKeys.none")}>
        {(apiKey) => (
          <ApiKeyCard key={apiKey.id} apiKey={apiKey} onOpen={(dialog) => setOpen({ dialog, apiKey })} />
        )}
      </PagedList>
      {open?.dialog === "create" && <NewKeyDialog onText={onText} onClose={onClose} />}
      {open?.dialog === "rotate" && (
        <RotateKeyDialog apiKey={open.apiKey} onText={onText} onClose={onClose} />
      )}
      {open?.dialog === "revoke" && <RevokeKeyDialog apiKey={open.apiKey} onClose={onClose} />}
      {secret && <SecretDialog secret={secret} onClose={() => setSecret(undefined)} />}
    </>
  );
}
