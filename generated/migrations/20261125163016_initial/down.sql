-- initial, undone
--
-- Does:  deletes the documents of api::article.article
--        deletes the documents of api::author.author
--        deletes the documents of api::category.category
--        deletes the documents of api::global.global
--        deletes the documents of api::homepage.homepage
--        deletes the documents of api::tag.tag
--        deletes the documents of plugin::users-permissions.role
--        deletes the documents of plugin::users-permissions.user
--        drops sequence component_ids
--        drops table api_tokens
--        drops table articles_categories
--        drops table articles_gallery
--        drops table articles_related
--        drops table articles_tags
--        drops table articles
--        drops table authors
--        drops table categories
--        drops table globals
--        drops table homepages
--        drops table one_time_codes
--        drops table role_permissions
--        drops table tags
--        drops table up_roles
--        drops table up_users
--        drops table user_identities
--        drops table user_sessions
--        drops table user_token_versions
--        drops table documents
--        drops table files
--        drops table rate_limits
-- Locks: nothing that exists
-- Loses: every document of api::article.article
--        every document of api::author.author
--        every document of api::category.category
--        every document of api::global.global
--        every document of api::homepage.homepage
--        every document of api::tag.tag
--        every document of plugin::users-permissions.role
--        every document of plugin::users-permissions.user
--        every row of api_tokens
--        every row of articles_categories
--        every row of articles_gallery
--        every row of articles_related
--        every row of articles_tags
--        every row of articles
--        every row of authors
--        every row of categories
--        every row of globals
--        every row of homepages
--        every row of one_time_codes
--        every row of role_permissions
--        every row of tags
--        every row of up_roles
--        every row of up_users
--        every row of user_identities
--        every row of user_sessions
--        every row of user_token_versions
--        every row of documents
--        every row of files
--        every row of rate_limits
-- Newer: stop processes of that build before this runs, because it
--        deletes the documents of api::article.article
--        deletes the documents of api::author.author
--        deletes the documents of api::category.category
--        deletes the documents of api::global.global
--        deletes the documents of api::homepage.homepage
--        deletes the documents of api::tag.tag
--        deletes the documents of plugin::users-permissions.role
--        deletes the documents of plugin::users-permissions.user
--        drops sequence component_ids
--        drops table api_tokens
--        drops table articles_categories
--        drops table articles_gallery
--        drops table articles_related
--        drops table articles_tags
--        drops table articles
--        drops table authors
--        drops table categories
--        drops table globals
--        drops table homepages
--        drops table one_time_codes
--        drops table role_permissions
--        drops table tags
--        drops table up_roles
--        drops table up_users
--        drops table user_identities
--        drops table user_sessions
--        drops table user_token_versions
--        drops table documents
--        drops table files
--        drops table rate_limits

delete from "documents" where "type" = 'api::article.article';

delete from "documents" where "type" = 'api::author.author';

delete from "documents" where "type" = 'api::category.category';

delete from "documents" where "type" = 'api::global.global';

delete from "documents" where "type" = 'api::homepage.homepage';

delete from "documents" where "type" = 'api::tag.tag';

delete from "documents" where "type" = 'plugin::users-permissions.role';

delete from "documents" where "type" = 'plugin::users-permissions.user';

drop sequence "component_ids";

drop table "api_tokens";

drop table "articles_categories";

drop table "articles_gallery";

drop table "articles_related";

drop table "articles_tags";

drop table "articles";

drop table "authors";

drop table "categories";

drop table "globals";

drop table "homepages";

drop table "one_time_codes";

drop table "role_permissions";

drop table "tags";

drop table "up_roles";

drop table "up_users";

drop table "user_identities";

drop table "user_sessions";

drop table "user_token_versions";

drop table "documents";

drop table "files";

drop table "rate_limits";
