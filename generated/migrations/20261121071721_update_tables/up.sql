-- update_tables
--
-- Does:  adds documents.single
--        indexes articles: articles_version_key
--        drops index articles_draft_key
--        drops index articles_published_key
--        indexes authors: authors_version_key
--        drops index authors_draft_key
--        drops index authors_published_key
--        indexes categories: categories_version_key
--        drops index categories_draft_key
--        drops index categories_published_key
--        indexes documents: documents_single_key
--        indexes globals: globals_version_key
--        drops index globals_draft_key
--        drops index globals_published_key
--        indexes homepages: homepages_version_key
--        drops index homepages_draft_key
--        drops index homepages_published_key
--        indexes tags: tags_version_key
--        drops index tags_draft_key
--        drops index tags_published_key
--        indexes up_roles: up_roles_version_key
--        drops index up_roles_draft_key
--        drops index up_roles_published_key
--        indexes up_users: up_users_version_key
--        drops index up_users_draft_key
--        drops index up_users_published_key
-- Locks: documents: everything, for a moment
-- Loses: nothing

alter table "documents" add column "single" boolean;

-- outside a transaction:

drop index concurrently if exists "articles_version_key";

create unique index concurrently "articles_version_key" on "articles" ("document_id", "locale", ("published_at" is not null));

drop index concurrently if exists "articles_draft_key";

drop index concurrently if exists "articles_published_key";

drop index concurrently if exists "authors_version_key";

create unique index concurrently "authors_version_key" on "authors" ("document_id", ("published_at" is not null));

drop index concurrently if exists "authors_draft_key";

drop index concurrently if exists "authors_published_key";

drop index concurrently if exists "categories_version_key";

create unique index concurrently "categories_version_key" on "categories" ("document_id", "locale", ("published_at" is not null));

drop index concurrently if exists "categories_draft_key";

drop index concurrently if exists "categories_published_key";

drop index concurrently if exists "documents_single_key";

create unique index concurrently "documents_single_key" on "documents" ("type") where "single";

drop index concurrently if exists "globals_version_key";

create unique index concurrently "globals_version_key" on "globals" ("document_id", ("published_at" is not null));

drop index concurrently if exists "globals_draft_key";

drop index concurrently if exists "globals_published_key";

drop index concurrently if exists "homepages_version_key";

create unique index concurrently "homepages_version_key" on "homepages" ("document_id", "locale", ("published_at" is not null));

drop index concurrently if exists "homepages_draft_key";

drop index concurrently if exists "homepages_published_key";

drop index concurrently if exists "tags_version_key";

create unique index concurrently "tags_version_key" on "tags" ("document_id", ("published_at" is not null));

drop index concurrently if exists "tags_draft_key";

drop index concurrently if exists "tags_published_key";

drop index concurrently if exists "up_roles_version_key";

create unique index concurrently "up_roles_version_key" on "up_roles" ("document_id", ("published_at" is not null));

drop index concurrently if exists "up_roles_draft_key";

drop index concurrently if exists "up_roles_published_key";

drop index concurrently if exists "up_users_version_key";

create unique index concurrently "up_users_version_key" on "up_users" ("document_id", ("published_at" is not null));

drop index concurrently if exists "up_users_draft_key";

drop index concurrently if exists "up_users_published_key";
