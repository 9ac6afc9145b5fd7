/** Configuration of files. */
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
  /** Whether the bucket is in the path rather than in the host name. By default true if there is an `endpoint`. */
  pathStyle: z.boolean().optional(),
  /** A prefix of all keys, such as `site/`. */
  prefix: z.string().default(""),
  /** Seconds that the service has to begin its response, and that it may pause within one. */
  idleSeconds: z.number().positive().max(600).default(20),
  /** Seconds for a request that sends a file, or an 8 MB part of one, including all retries. */
  requestSeconds: z.number().positive().max(3600).default(120),
  /** The address where clients fetch objects; without it this server serves them at `/uploads`. */
  publicUrl: z.url().optional(),
});

/** The `media` section of the configuration: limits, formats of images, and where files are kept. */
export const mediaConfig = z
  .strictObject({
    /** Largest file in bytes. */
    sizeLimit: z.number().int().positive().default(200_000_000),
    /** Seconds that a sender may stall before the upload is aborted. */
    idleSeconds: z.number().positive().default(60),
    /**
     * Allowed media types, such as `image/png` or `image/*`; all by default. Types in `deny` are refused even if
     * `allow` contains them.
     */
    types: z
      .strictObject({ allow: z.array(z.string()).default(["*/*"]), deny: z.array(z.string()).default([]) })
      .prefault({}),
    /** Smaller versions of images: the longest side in pixels, by name. */
    formats: z
      .record(z.string().regex(/^(?!thumbnail$)[a-z][a-z0-9-]*$/i), z.number().int().positive())
      .default({ large: 1000, medium: 750, small: 500 }),
    images: z
      .strictObject({
        /** Whether to create a format `thumbnail` of at most 245 by 156 pixels. */
        thumbnail: z.boolean().default(true),
        /** Whether to compress originals if that makes them smaller. */
        optimize: z.boolean().default(true),
        /** Most pixels of an image. They determine how much memory it needs, however small the file is. */
        pixelLimit: z.number().int().positive().default(150_000_000),
        /** Seconds of work for all images of one upload together. */
        seconds: z.number().positive().max(3600).default(60),
      })
      .prefault({}),
    /** With it, the database has a table of folders, and files can be put into them. */
    folders: z.boolean().default(false),
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
