-- update_tables, undone
--
-- Does:  drops index documents_single_key
--        drops documents.single
--        indexes articles: articles_draft_key
--        indexes articles: articles_published_key
--        drops index articles_version_key
--        indexes authors: authors_draft_key
--        indexes authors: authors_published_key
--        drops index authors_version_key
--        indexes categories: categories_draft_key
--        indexes categories: categories_published_key
--        drops index categories_version_key
--        indexes globals: globals_draft_key
--        indexes globals: globals_published_key
--        drops index globals_version_key
--        indexes homepages: homepages_draft_key
--        indexes homepages: homepages_published_key
--        drops index homepages_version_key
--        indexes tags: tags_draft_key
--        indexes tags: tags_published_key
--        drops index tags_version_key
--        indexes up_roles: up_roles_draft_key
--        indexes up_roles: up_roles_published_key
--        drops index up_roles_version_key
--        indexes up_users: up_users_draft_key
--        indexes up_users: up_users_published_key
--        drops index up_users_version_key
-- Locks: documents: everything, for a moment
-- Loses: every value of documents.single

drop index if exists "documents_single_key";

alter table "documents" drop column "single";

-- outside a transaction:

drop index concurrently if exists "articles_draft_key";

create unique index concurrently "articles_draft_key" on "articles" ("document_id", "locale") where "published_at" is null;

drop index concurrently if exists "articles_published_key";

create unique index concurrently "articles_published_key" on "articles" ("document_id", "locale") where "published_at" is not null;

drop index concurrently if exists "articles_version_key";

drop index concurrently if exists "authors_draft_key";

create unique index concurrently "authors_draft_key" on "authors" ("document_id") where "published_at" is null;

drop index concurrently if exists "authors_published_key";

create unique index concurrently "authors_published_key" on "authors" ("document_id") where "published_at" is not null;

drop index concurrently if exists "authors_version_key";

drop index concurrently if exists "categories_draft_key";

create unique index concurrently "categories_draft_key" on "categories" ("document_id", "locale") where "published_at" is null;

drop index concurrently if exists "categories_published_key";

create unique index concurrently "categories_published_key" on "categories" ("document_id", "locale") where "published_at" is not null;

drop index concurrently if exists "categories_version_key";

drop index concurrently if exists "globals_draft_key";

create unique index concurrently "globals_draft_key" on "globals" ("document_id") where "published_at" is null;

drop index concurrently if exists "globals_published_key";

create unique index concurrently "globals_published_key" on "globals" ("document_id") where "published_at" is not null;

drop index concurrently if exists "globals_version_key";

drop index concurrently if exists "homepages_draft_key";

create unique index concurrently "homepages_draft_key" on "homepages" ("document_id", "locale") where "published_at" is null;

drop index concurrently if exists "homepages_published_key";

create unique index concurrently "homepages_published_key" on "homepages" ("document_id", "locale") where "published_at" is not null;

drop index concurrently if exists "homepages_version_key";

drop index concurrently if exists "tags_draft_key";

create unique index concurrently "tags_draft_key" on "tags" ("document_id") where "published_at" is null;

drop index concurrently if exists "tags_published_key";

create unique index concurrently "tags_published_key" on "tags" ("document_id") where "published_at" is not null;

drop index concurrently if exists "tags_version_key";

drop index concurrently if exists "up_roles_draft_key";

create unique index concurrently "up_roles_draft_key" on "up_roles" ("document_id") where "published_at" is null;

drop index concurrently if exists "up_roles_published_key";

create unique index concurrently "up_roles_published_key" on "up_roles" ("document_id") where "published_at" is not null;

drop index concurrently if exists "up_roles_version_key";

drop index concurrently if exists "up_users_draft_key";

create unique index concurrently "up_users_draft_key" on "up_users" ("document_id") where "published_at" is null;

drop index concurrently if exists "up_users_published_key";

create unique index concurrently "up_users_published_key" on "up_users" ("document_id") where "published_at" is not null;

drop index concurrently if exists "up_users_version_key";
