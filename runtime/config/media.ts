/** What `cms.config.ts` says of files. */
import { z } from "zod";
import type { StorageProvider } from "../base/storage.ts";

const isStorageProvider = (value: unknown): value is StorageProvider =>
  typeof value === "object" &&
  value !== null &&
  "name" in value &&
  typeof value.name === "string" &&
  ["put", "stat", "read", "delete", "url", "list"].every((name) => typeof Reflect.get(value, name) === "function");

const s3 = z.strictObject({
  bucket: z.string().min(1),
  region: z.string().default("us-east-1"),
  /** Address of a service other than Amazon's, such as `https://s3.example.com`. */
  endpoint: z.url().optional(),
  /** By default `AWS_ACCESS_KEY_ID` and `AWS_SECRET_ACCESS_KEY`. */
  accessKeyId: z.string().optional(),
  secretAccessKey: z.string().optional(),
  /** The bucket is a folder of the address rather than a part of the host name. By default: with an `endpoint`. */
  pathStyle: z.boolean().optional(),
  /** Goes before every key, such as `site/`. */
  prefix: z.string().default(""),
  /** Where clients find the objects; without it this server hands them out below `/uploads`. */
  publicUrl: z.url().optional(),
});

/** The `media` section of the configuration: limits, formats of images, and where files are kept. */
export const mediaConfig = z
  .strictObject({
    /** Largest file in bytes. */
    sizeLimit: z.number().int().positive().default(200_000_000),
    /** A sender who pauses for longer is given up. */
    idleSeconds: z.number().positive().default(60),
    /** Media types, such as `image/png`, `image/*` or all of them (the default). What `deny` names is refused even if `allow` has it. */
    types: z
      .strictObject({ allow: z.array(z.string()).default(["*/*"]), deny: z.array(z.string()).default([]) })
      .prefault({}),
    /** Smaller versions of images: the longest side in pixels, by name. */
    formats: z
      .record(z.string().regex(/^(?!thumbnail$)[a-z][a-z0-9-]*$/i), z.number().int().positive())
      .default({ large: 1000, medium: 750, small: 500 }),
    images: z
      .strictObject({
        /** Whether a format `thumbnail` of at most 245 by 156 pixels is made. */
        thumbnail: z.boolean().default(true),
        /** Whether originals are compressed, where that makes them smaller. */
        optimize: z.boolean().default(true),
        /** Most pixels of an image: what it takes in memory, however small the file is. */
        pixelLimit: z.number().int().positive().default(150_000_000),
        /** Seconds that the images of one upload may be worked on, all together. */
        seconds: z.number().positive().max(3600).default(60),
      })
      .prefault({}),
    enforceAllowedTypes: z.boolean().default(true),
    provider: z
      .union([
        z.enum(["local", "s3"]),
        z.custom<StorageProvider>(isStorageProvider, {
          error: 'expected "local", "s3" or an object with name, put, stat, read, delete, url and list',
        }),
      ])
      .default("local"),
    /** Folder of the files, relative to the root. */
    directory: z.string().min(1).default("public/uploads"),
    s3: s3.optional(),
  })
  .refine((value) => value.provider !== "s3" || value.s3 !== undefined, {
    error: 'media.s3 must say which bucket to use when the provider is "s3"',
  })
  .prefault({});
