import { Button, Center, CopyButton, Group, Loader, Stack, Text, Title } from "@mantine/core";
import { IconAlertTriangle, IconLock, IconMoodEmpty, IconPlugConnectedX } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { ApiError } from "../api/problem.ts";

type MessageProps = { icon: ReactNode; title: string; text: string; children?: ReactNode };

/** A message in place of content. It says what to do next. */
export function Message({ icon, title, text, children }: MessageProps) {
  return (
    <Center py={56} px="md">
      <Stack align="center" gap="xs" maw={420}>
        <Text c="dimmed" lh={1}>
          {icon}
        </Text>
        <Title order={2} size="h4" ta="center">
          {title}
        </Title>
        <Text c="dimmed" ta="center" size="sm">
          {text}
        </Text>
        {children && (
          <Group mt="xs" justify="center">
            {children}
          </Group>
        )}
      </Stack>
    </Center>
  );
}

export function Loading() {
  const { t } = useTranslation();
  return (
    <Center py={56}>
      <Loader role="status" aria-label={t("state.loading")} />
    </Center>
  );
}

export function Empty({ title, text, children }: { title: string; text: string; children?: ReactNode }) {
  return (
    <Message icon={<IconMoodEmpty size={40} stroke={1.4} />} title={title} text={text}>
      {children}
    </Message>
  );
}

/** Why something could not be read, in words; code and request id can be copied for the support. */
export function Failed({ error, retry }: { error: unknown; retry?: () => void }) {
  const { t } = useTranslation();
  const known = error instanceof ApiError ? error : undefined;
  if (known?.status === 403)
    return (
      <Message
        icon={<IconLock size={40} stroke={1.4} />}
        title={t("state.forbiddenTitle")}
        text={t("state.forbidden")}
      />
    );
  if (known?.status === 404)
    return (
      <Empty title={t("state.notFoundTitle")} text={t("state.notFound")}>
        <Button variant="default" component={Link} to="/">
          {t("state.home")}
        </Button>
      </Empty>
    );
  const offline = known?.status === 0;
  return (
    <Message
      icon={
        offline ? <IconPlugConnectedX size={40} stroke={1.4} /> : <IconAlertTriangle size={40} stroke={1.4} />
      }
      title={t("state.failedTitle")}
      text={offline ? t("state.network") : (known?.message ?? String(error))}
    >
      {retry && <Button onClick={retry}>{t("state.retry")}</Button>}
      {known?.requestId && (
        <CopyButton value={`${known.code} ${known.requestId}`}>
          {({ copied, copy }) => (
            <Button variant="default" onClick={copy}>
              {copied ? t("state.copied") : t("state.copyDetails")}
            </Button>
          )}
        </CopyButton>
      )}
    </Message>
  );
}
