/**
 * The browser's own cryptography, which works beside the page's thread. Null where a page has none, because it did not come over HTTPS;
 * and in Node, whose own is faster and answers at once.
 */
export const subtle: SubtleCrypto | null = "process" in globalThis ? null : (globalThis.crypto?.subtle ?? null);
