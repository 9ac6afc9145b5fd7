import { expect, test } from "vitest";
import { contentType, diagnosticsOf } from "../support/schema-files.ts";

const costOf = (regex: string) =>
  diagnosticsOf(contentType("article", { code: { type: "string", regex } })).map(({ code, severity, place }) => [
    code,
    severity,
    place.path,
  ]);

test.each([
  String.raw`^(a+)+$`,
  String.raw`^(.*)*$`,
  String.raw`^(\w+\s?)*$`,
  String.raw`^(\d+,?)+$`,
  String.raw`(x+x+)+y`,
  String.raw`^(a|a)*$`,
  String.raw`^(a|aa)+$`,
  String.raw`^(\d|\w)+$`,
  String.raw`^(ab|ab){2,}$`,
  String.raw`^(a|ab|b)*$`,
  String.raw`^(?:\w|[a-z]){30}$`,
  String.raw`^(https?:\/\/)?([\da-z.-]+)\.([a-z.]{2,6})([\/\w .-]*)*\/?$`,
])("%s is warned of, for it takes exponential time", (regex) => {
  expect(costOf(regex)).toEqual([["CMS2316", "warning", ["attributes", "code", "regex"]]]);
});

test.each([
  String.raw`^[a-z0-9]+(?:-[a-z0-9]+)*$`,
  String.raw`^[A-Za-z0-9._%+-]+@[A-Za-z0-9.-]+\.[A-Za-z]{2,}$`,
  String.raw`^(?:[a-z]+\.)+[a-z]{2,}$`,
  String.raw`^(?=.*[A-Z])(?=.*\d).{8,}$`,
  String.raw`^(\+\d{1,2}\s)?\(?\d{3}\)?[\s.-]\d{3}[\s.-]\d{4}$`,
  String.raw`^(?:a|b|cd)*$`,
  String.raw`^(\w+)-\1(?:x|y\1)*$`,
  String.raw`^$|^[a-zA-Z/-]+$`,
  String.raw`([1-9][0-9]*)\/([1-9][0-9]{3})`,
  String.raw`^[A-ZÁÄČ]+(?:-[A-ZÁÄČ]+)+$`,
  "[^,]+",
])("%s passes", (regex) => {
  expect(costOf(regex)).toEqual([]);
});
