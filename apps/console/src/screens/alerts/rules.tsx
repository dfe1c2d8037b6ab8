import { Button, Group } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { api } from "../../api/client.ts";
import { PagedList } from "../../parts/paged-list.tsx";
import { type Secret, SecretDialog } from "../../parts/secret-dialog.tsx";
import { usePages } from "../../parts/use-pages.ts";
import { RuleCard, type RuleDialog } from "./rule-card.tsx";
import { DeleteRuleDialog, RotateRuleSecretDialog, RuleDeliveries } from "./rule-dialogs.tsx";
import { RuleForm } from "./rule-form.tsx";
import type { Rule } from "./rule-values.ts";

const EXPAND = ["asset", "category", "location", "status", "zone"] as const;

type Open = { dialog: "create" } | { dialog: RuleDialog; rule: Rule };

/** The rules, each with a sentence that says what it does. */
export function Rules() {
  const { t } = useTranslation();
  const [open, setOpen] = useState<Open>();
  const [secret, setSecret] = useState<Secret>();
  const found = usePages("/alert-rules", "list", (query, signal) =>
    api.GET("/alert-rules", { params: { query: { ...query, expand: [...EXPAND] } }, signal }),
  );
  const onClose = () => setOpen(undefined);
  const onSecret = (title: string, text: string) => setSecret({ title, label: t("rules.secret"), text });
  return (
    <>
      <Group justify="flex-end" mb="sm">
        <Button
          leftSection={<IconPlus size={17} aria-hidden />}
          onClick={() => setOpen({ dialog: "create" })}
        >
          {t("rules.new")}
        </Button>
      </Group>
      <PagedList found={found} empty={t("rules.none")}>
        {(rule) => <RuleCard key={rule.id} rule={rule} onOpen={(dialog) => setOpen({ dialog, rule })} />}
      </PagedList>
      {open?.dialog === "create" && <RuleForm onSecret={onSecret} onClose={onClose} />}
      {open?.dialog === "edit" && <RuleForm rule={open.rule} onSecret={onSecret} onClose={onClose} />}
      {open?.dialog === "delete" && <DeleteRuleDialog rule={open.rule} onClose={onClose} />}
      {open?.dialog === "deliveries" && <RuleDeliveries rule={open.rule} onClose={onClose} />}
      {open?.dialog === "rotate" && (
        <RotateRuleSecretDialog rule={open.rule} onSecret={onSecret} onClose={onClose} />
      )}
      {secret && <SecretDialog secret={secret} onClose={() => setSecret(undefined)} />}
    </>
  );
}
