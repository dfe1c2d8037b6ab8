import "@mantine/dropzone/styles.css";
import { Alert, Anchor, Badge, Button, Card, Group, Stack, Text, Title } from "@mantine/core";
import { Dropzone } from "@mantine/dropzone";
import { IconFileSpreadsheet } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { Ago } from "../../parts/ago.tsx";
import { useFormat } from "../../parts/workspace.ts";
import { useAuditLog } from "../settings/audit/use-audit-log.ts";
import { MAX_BYTES, MAX_ROWS } from "./import-limits.ts";
import type { ImportFile } from "./use-import-file.ts";

const SHOWN = 5;

/** Takes a file, and shows the last imports of the workspace. */
export function ChooseFile({ file }: { file: ImportFile }) {
  const { t } = useTranslation();
  const format = useFormat();
  const limits = { rows: format.number(MAX_ROWS), size: MAX_BYTES / 1_024 / 1_024 };
  return (
    <Stack>
      <Dropzone
        onDrop={([chosen]) => chosen && void file.open(chosen)}
        onReject={() => file.setProblem("type")}
        multiple={false}
        loading={file.reading}
        loaderProps={{ role: "status", "aria-label": t("importing.reading") }}
        inputProps={{ "aria-label": t("importing.drop") }}
        // A button inside takes the keyboard; its click goes to the whole field.
        activateOnKeyboard={false}
        enablePointerEvents
      >
        <Stack align="center" gap={4} py="lg">
          <IconFileSpreadsheet size={40} stroke={1.4} aria-hidden />
          <Text fw={600} ta="center">
            {t("importing.drop")}
          </Text>
          <Button variant="light" my="xs">
            {t("importing.choose")}
          </Button>
          <Text size="sm" c="dimmed" ta="center">
            {t("importing.limits", limits)}
          </Text>
          <Text size="sm" c="dimmed" ta="center">
            {t("importing.hint")}
          </Text>
        </Stack>
      </Dropzone>
      {file.problem && (
        <Alert color="red" role="alert">
          {t(`importing.problem.${file.problem}`, limits)}
        </Alert>
      )}
      <LastImports />
    </Stack>
  );
}

/** The audit log has each import that was started. */
function LastImports() {
  const { t } = useTranslation();
  const { rows } = useAuditLog({ action: "import.started" });
  if (rows.length === 0) return null;
  return (
    <Card withBorder component="section">
      <Title order={2} size="h5" mb="xs">
        {t("importing.last")}
      </Title>
      <Stack gap="xs">
        {rows.slice(0, SHOWN).map(({ id, at, actor, subject_id, changes }) => {
          const isCheck = changes.some(({ field, after }) => field === "dry_run" && after === "true");
          return (
            <Group key={id} gap="xs">
              <Badge
                variant="light"
                c="var(--mantine-color-text)"
                color={isCheck ? "gray" : "teal"}
                tt="none"
              >
                {t(isCheck ? "importing.dryRun" : "importing.run")}
              </Badge>
              <Text size="sm" component="span">
                {at && <Ago at={at} />}
              </Text>
              {actor.name && (
                <Text size="sm" c="dimmed" className="cut" maw={240} component="span">
                  {t("importing.lastBy", { name: actor.name })}
                </Text>
              )}
              {subject_id && (
                <Anchor
                  renderRoot={(props) => <Link {...props} to="/import" search={{ id: subject_id }} />}
                  size="sm"
                  underline="always"
                >
                  {t("importing.open")}
                </Anchor>
              )}
            </Group>
          );
        })}
      </Stack>
    </Card>
  );
}
