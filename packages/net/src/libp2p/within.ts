/** Waits for something, but not for long, and not for its errors. */
export async function within(ms: number, wait: Promise<unknown>): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([wait.catch(() => {}), late]);
  clearTimeout(timer);
}
