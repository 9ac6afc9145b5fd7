/**
 * The client that `generated/client/` is made of: `fetch` and nothing else, for browsers, Node and edge runtimes, and for
 * any server of this wire format.
 */
export type { Answer, CursorInfo, InfoOf, LimitedCursorInfo, ListAnswer, OffsetInfo, PageInfo } from "./answers.ts";
export {
  type Auth,
  auth,
  type Credentials,
  type Login,
  type NewAccount,
  type NewPassword,
  type SessionInfo,
  type UserOf,
  type WrittenUser,
} from "./auth.ts";
export {
  type Act,
  type Collection,
  collection,
  type CollectionWithDrafts,
  collectionWithDrafts,
  type LocaleQuery,
  type PageSize,
  type Part,
  type Single,
  single,
  type SingleWithDrafts,
  singleWithDrafts,
} from "./content.ts";
export { type AnyRequest, defineClient } from "./define.ts";
export { type Failure, type Fault, type FaultDetails, RequestError } from "./error.ts";
export {
  type FileInfo,
  type Files,
  files,
  type FilesQuery,
  type UploadedFile,
  type UploadOptions,
  type Watched,
} from "./files.ts";
export { type Http, type InternalParts, type RequestParts } from "./http.ts";
export { type Locale, type Locales, locales } from "./locales.ts";
export type { ClientOptions, RequestOptions, Send } from "./options.ts";
export { memoryStore, type Session, type SessionStore } from "./session.ts";
export type { OnProgress, Progress } from "./upload.ts";
export { type NewUser, type UserQuery, type Users, users, type UsersQuery } from "./users.ts";
