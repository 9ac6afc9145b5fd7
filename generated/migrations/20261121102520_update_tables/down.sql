-- update_tables, undone
--
-- Does:  indexes articles: articles_author_document_id_idx
--        drops index articles_author_document_id_inverse_idx
--        indexes articles_categories: articles_categories_document_id_idx
--        drops index articles_categories_document_id_inverse_idx
--        indexes articles_tags: articles_tags_document_id_idx
--        drops index articles_tags_document_id_inverse_idx
--        indexes up_users: up_users_role_document_id_idx
--        drops index up_users_role_document_id_inverse_idx
-- Locks: nothing that exists
-- Loses: nothing

-- outside a transaction:

drop index concurrently if exists "articles_author_document_id_idx";

create index concurrently "articles_author_document_id_idx" on "articles" ("author_document_id");

drop index concurrently if exists "articles_author_document_id_inverse_idx";

drop index concurrently if exists "articles_categories_document_id_idx";

create index concurrently "articles_categories_document_id_idx" on "articles_categories" ("document_id");

drop index concurrently if exists "articles_categories_document_id_inverse_idx";

drop index concurrently if exists "articles_tags_document_id_idx";

create index concurrently "articles_tags_document_id_idx" on "articles_tags" ("document_id");

drop index concurrently if exists "articles_tags_document_id_inverse_idx";

drop index concurrently if exists "up_users_role_document_id_idx";

create index concurrently "up_users_role_document_id_idx" on "up_users" ("role_document_id");

drop index concurrently if exists "up_users_role_document_id_inverse_idx";
