import { Card, Grid, Group, Stack, Text, TextInput } from "@mantine/core";
import { IconBarcode } from "@tabler/icons-react";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Page } from "../../parts/page.tsx";
import { Camera } from "./camera.tsx";
import { NfcButton } from "./nfc-button.tsx";
import { type Scan, ScanResult } from "./scan-result.tsx";
import { ScannedList } from "./scanned-list.tsx";
import { useWedge } from "./use-wedge.ts";

const route = getRouteApi("/scan");
const KEPT = 20;

/** A code, from the camera or a scanner: its asset and what can be done with it, or the way to bind it. */
export function ScanScreen() {
  const { t } = useTranslation();
  const { code } = route.useSearch();
  const navigate = useNavigate({ from: "/scan" });
  const [scanned, setScanned] = useState<readonly Scan[]>([]);
  const count = useRef(0);
  const onCode = (text: string): void => {
    const next = text.trim();
    if (next === "") return;
    count.current += 1;
    // The same code again is looked up again.
    setScanned((before) => [{ code: next, key: count.current }, ...before].slice(0, KEPT));
    void navigate({ search: { code: next }, replace: true });
  };
  useWedge(onCode);
  const [latest] = scanned;
  const scan = latest?.code === code ? latest : code === undefined ? undefined : { code, key: 0 };
  return (
    <Page title={t("nav.scan")} subtitle={t("scan.subtitle")}>
      <Grid>
        <Grid.Col span={{ base: 12, md: 5 }}>
          <Card withBorder>
            <Stack gap="sm">
              <Camera onCode={onCode} />
              <CodeField onCode={onCode} />
              <Group>
                <NfcButton onCode={onCode} />
              </Group>
            </Stack>
          </Card>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 7 }}>
          {scan === undefined ? (
            <Card withBorder>
              <Text c="dimmed">{t("scan.nothing")}</Text>
            </Card>
          ) : (
            <ScanResult key={`${scan.code} ${scan.key}`} scan={scan} />
          )}
          <ScannedList codes={scanned.slice(1).map((one) => one.code)} onChoose={onCode} />
        </Grid.Col>
      </Grid>
    </Page>
  );
}

/** For what no scanner reads, and for scanners that type into a field. */
function CodeField({ onCode }: { onCode: (code: string) => void }) {
  const { t } = useTranslation();
  const [text, setText] = useState("");
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        onCode(text);
        setText("");
      }}
    >
      <TextInput
        label={t("scan.code")}
        description={t("scan.codeHint")}
        leftSection={<IconBarcode size={18} aria-hidden />}
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        maxLength={500}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
    </form>
  );
}
