import { useEffect, useState } from "react";

export type Credentials = { email: string; password: string };

/** The demo's sign-in, which only a development server has. */
export function useDemo(): Credentials | undefined {
  const [demo, setDemo] = useState<Credentials>();
  useEffect(() => {
    void fetch("/app/demo.json")
      .then((response) =>
        response.headers.get("content-type")?.startsWith("application/json") ? response.json() : undefined,
      )
      .then((found?: Partial<Credentials>) =>
        found?.email && found.password ? { email: found.email, password: found.password } : undefined,
      )
      .then(setDemo)
      .catch(() => undefined);
  }, []);
  return demo;
}
