import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { escaped, listed, named, plain, slug } from "./text.ts";

describe("text that others wrote", () => {
  it("loses what moves a cursor, turns the direction or may not stand in XML", () => {
    expect(plain("a\u001b[31mb\nc\u202ed\ud800e")).toBe("a\ufffd[31mb\ufffdc\ufffdd\ufffde");
    expect(plain("naïve 数据 😀")).toBe("naïve 数据 😀");
  });

  it("is escaped for elements and attributes", () => {
    expect(escaped(`<script>"a" & 'b'</script>`)).toBe("&lt;script&gt;&quot;a&quot; &amp; &#39;b&#39;&lt;/script&gt;");
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => !/[<>"']|&(?!amp;|lt;|gt;|quot;|#39;)/.test(escaped(text))),
    );
  });

  it("makes names of files and ids", () => {
    expect(slug("Regret / peers (log)")).toBe("regret-peers-log");
    expect(slug("../../etc")).toBe("etc");
    expect(slug("§")).toBe("figure");
  });

  it("stands in a sentence", () => {
    expect(named("solo")).toBe("solo");
    expect(named("dccb, sum")).toBe("“dccb, sum”");
    expect(listed(["a", "b", "c"])).toBe("a, b and c");
    expect(listed(["a"])).toBe("a");
  });
});
