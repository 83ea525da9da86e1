import fc from "fast-check";
import { expect, it } from "vitest";
import { splitCsv } from "./csv.ts";

it("splits plain and quoted fields", () => {
  expect(splitCsv("1,Toy Story,a|b")).toEqual(["1", "Toy Story", "a|b"]);
  expect(splitCsv('2,"President, The",x')).toEqual(["2", "President, The", "x"]);
  expect(splitCsv('7789,"11\'09""01",Drama')).toEqual(["7789", "11'09\"01", "Drama"]);
  expect(splitCsv('"""artsy"""')).toEqual(['"artsy"']);
  expect(splitCsv('a"b,')).toEqual(['a"b', ""]);
  expect(splitCsv('"",""')).toEqual(["", ""]);
});

it("tells an open quote from text after a closed one", () => {
  expect(splitCsv('1,"abc')).toBe("open");
  expect(splitCsv('1,"abc""')).toBe("open");
  expect(splitCsv('1,"abc"d,2')).toBe("malformed");
});

it("gives back what was quoted", () => {
  const text = fc.string({ unit: fc.constantFrom("a", ",", '"', "\n", " ", "é") });
  fc.assert(
    fc.property(fc.array(fc.tuple(text, fc.boolean()), { minLength: 1 }), (fields) => {
      const written = fields.map(([field, always]) =>
        always || /[",\n]/.test(field) ? `"${field.replaceAll('"', '""')}"` : field,
      );
      expect(splitCsv(written.join(","))).toEqual(fields.map(([field]) => field));
    }),
  );
});
