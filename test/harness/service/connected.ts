const TRIES = 10;

/**
 * Repeats what fails because MongoDB has not answered a new connection within 5 s, as on a busy machine.
 * @throws the error of `connect`
 */
export async function connected<T>(connect: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await connect();
    } catch (error) {
      const busy = error instanceof Error && error.name.endsWith("ServerSelectionError");
      if (!busy || tries === TRIES) throw error;
    }
  }
}
