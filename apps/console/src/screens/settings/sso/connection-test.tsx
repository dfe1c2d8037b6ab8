import { Alert, Button, Card, Group, List, Stack, Text, ThemeIcon, Title } from "@mantine/core";
import { IconCheck, IconX } from "@tabler/icons-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { api, type Schemas } from "../../../api/client.ts";
import { reasonOf } from "../../../parts/notify.tsx";

const checks = ["discovery", "algorithms", "keys", "client", "domains"] as const;
type Known = (typeof checks)[number];
const isKnown = (name: string): name is Known => checks.some((one) => one === name);

/** Tests the saved connection, and shows each result. */
export function ConnectionTest() {
  const { t } = useTranslation();
  const [busy, setBusy] = useState(false);
  const [results, setResults] = useState<Schemas["SsoTest"]["results"]>();
  const [failure, setFailure] = useState<string>();
  const run = async (): Promise<void> => {
    setBusy(true);
    setFailure(undefined);
    try {
      const { data } = await api.POST("/sso/test");
      setResults(data?.results);
    } catch (error) {
      setFailure(reasonOf(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <Card withBorder>
      <Stack gap="sm">
        <Group justify="space-between">
          <Title order={2} size="h4">
            {t("ssoSettings.test")}
          </Title>
          <Button variant="default" loading={busy} onClick={() => void run()}>
            {t("ssoSettings.runTest")}
          </Button>
        </Group>
        {!results && !failure && (
          <Text size="sm" c="dimmed">
            {t("ssoSettings.testText")}
          </Text>
        )}
        {failure && (
          <Alert color="red" role="alert">
            {failure}
          </Alert>
        )}
        <div role="status">
          {results && (
            <List spacing="xs" center={false}>
              {results.map(({ check, ok, message }) => (
                <List.Item
                  key={check}
                  icon={
                    <ThemeIcon
                      color={ok ? "teal" : "red"}
                      size={22}
                      radius="xl"
                      role="img"
                      aria-label={t(ok ? "ssoSettings.ok" : "ssoSettings.notOk")}
                    >
                      {ok ? <IconCheck size={14} /> : <IconX size={14} />}
                    </ThemeIcon>
                  }
                >
                  <Text fw={550}>{isKnown(check) ? t(`ssoSettings.check_${check}`) : check}</Text>
                  <Text size="sm" c="dimmed" className="wrap">
                    {message}
                  </Text>
                </List.Item>
              ))}
            </List>
          )}
        </div>
      </Stack>
    </Card>
  );
}
