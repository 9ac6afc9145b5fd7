/** A key with a certificate for `localhost` that it has signed itself, for servers of tests that encrypt. */
import { generateKeyPairSync, sign } from "node:crypto";

/** A value in DER: https://www.itu.int/rec/T-REC-X.690 */
const der = (tag: number, ...parts: readonly Buffer[]): Buffer => {
  const body = Buffer.concat(parts);
  const { length } = body;
  const long = length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255];
  return Buffer.concat([Buffer.from([tag, ...(length < 128 ? [length] : long)]), body]);
};

const sequence = (...parts: readonly Buffer[]): Buffer => der(0x30, ...parts);
const identifier = (hex: string): Buffer => der(0x06, Buffer.from(hex, "hex"));
const bits = (value: Buffer): Buffer => der(0x03, Buffer.from([0]), value);
const time = (value: string): Buffer => der(0x17, Buffer.from(value));

const ECDSA_WITH_SHA256 = sequence(identifier("2a8648ce3d040302"));
const COMMON_NAME = identifier("550403");

export interface Certificate {
  readonly key: string;
  readonly cert: string;
}

export const createCertificate = (): Certificate => {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const name = sequence(der(0x31, sequence(COMMON_NAME, der(0x0c, Buffer.from("localhost")))));
  const validity = sequence(time("200101000000Z"), time("491231235959Z"));
  const serial = der(0x02, Buffer.from([1]));
  const subjectKey = publicKey.export({ type: "spki", format: "der" });
  const content = sequence(serial, ECDSA_WITH_SHA256, name, validity, name, subjectKey);
  const certificate = sequence(content, ECDSA_WITH_SHA256, bits(sign("sha256", content, privateKey)));
  return {
    key: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${certificate.toString("base64")}\n-----END CERTIFICATE-----\n`,
  };
};
