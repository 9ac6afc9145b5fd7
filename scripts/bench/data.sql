-- 10,000 articles, 10,000 stories, 500 authors and 50 categories, each as a draft and as published, and 2,000 files.
create temporary table stamp as select timestamp '2026-01-01 10:00:00.123' as at;

insert into files (document_id, name, alternative_text, width, height, formats, hash, ext, mime, size, url, provider, created_at, updated_at, published_at)
select 'file' || lpad(n::text, 20, '0'), 'picture-' || n || '.jpg', 'Picture ' || n, 1600, 900,
  json_build_object(
    'thumbnail', json_build_object('name', 'thumbnail_' || n || '.jpg', 'hash', 'thumbnail_' || n, 'ext', '.jpg', 'mime', 'image/jpeg', 'path', null, 'width', 245, 'height', 138, 'size', 8.1, 'sizeInBytes', 8100, 'url', '/uploads/thumbnail_' || n || '.jpg'),
    'small', json_build_object('name', 'small_' || n || '.jpg', 'hash', 'small_' || n, 'ext', '.jpg', 'mime', 'image/jpeg', 'path', null, 'width', 500, 'height', 281, 'size', 30.2, 'sizeInBytes', 30200, 'url', '/uploads/small_' || n || '.jpg')),
  'picture_' || n, '.jpg', 'image/jpeg', 120.5, '/uploads/picture_' || n || '.jpg', 'local', at, at, at
from generate_series(1, 2000) n, stamp;

insert into documents (document_id, type)
select 'autr' || lpad(n::text, 20, '0'), 'api::author.author' from generate_series(1, 500) n
union all select 'catg' || lpad(n::text, 20, '0'), 'api::category.category' from generate_series(1, 50) n
union all select 'artc' || lpad(n::text, 20, '0'), 'api::article.article' from generate_series(1, 10000) n
union all select 'stor' || lpad(n::text, 20, '0'), 'api::story.story' from generate_series(1, 10000) n;

insert into authors (document_id, name, email, bio, secret, created_at, updated_at, published_at)
select 'autr' || lpad(n::text, 20, '0'), 'Author ' || n, 'author' || n || '@example.org', repeat('A life in letters. ', 6), 'hidden', at, at, case when live then at end
from generate_series(1, 500) n, (values (false), (true)) v(live), stamp order by n, live;

insert into categories (document_id, name, slug, created_at, updated_at, published_at)
select 'catg' || lpad(n::text, 20, '0'), 'Category ' || n, 'category-' || n, at, at, case when live then at end
from generate_series(1, 50) n, (values (false), (true)) v(live), stamp order by n, live;

insert into articles (document_id, locale, title, slug, summary, body, views, featured, day, secret, cover_id, author_document_id, reviewer_document_id, seo, sections, created_at, updated_at, published_at)
select 'artc' || lpad(n::text, 20, '0'), 'en', 'Article number ' || n, 'article-' || n, repeat('Some words on subject ' || n || '. ', 5),
  (select json_agg(json_build_object('type', 'paragraph', 'children', json_build_array(json_build_object('type', 'text', 'text', 'Paragraph ' || p || ' of article ' || n || ': ' || repeat('the quick brown fox jumps over the lazy dog. ', 7))))) from generate_series(1, 6) p),
  (n * 7919) % 100000, n % 3 = 0, date '2020-01-01' + n % 1000, 'hidden', 1 + n % 2000,
  'autr' || lpad((1 + n % 500)::text, 20, '0'), 'autr' || lpad((1 + (n * 7) % 500)::text, 20, '0'),
  json_build_object('id', n * 10, 'title', 'Seo ' || n, 'description', 'All about ' || n, 'image', 1 + (n * 3) % 2000),
  json_build_array(
    json_build_object('__component', 'blocks.hero', 'id', n * 10 + 1, 'heading', 'Hero ' || n, 'image', 1 + (n * 5) % 2000),
    json_build_object('__component', 'blocks.quote', 'id', n * 10 + 2, 'text', 'To be or not to be, ' || n, 'by', 'Somebody'),
    json_build_object('__component', 'blocks.text', 'id', n * 10 + 3, 'body', repeat('Text of section. ', 20)),
    json_build_object('__component', 'blocks.hero', 'id', n * 10 + 4, 'heading', 'Second hero', 'image', 1 + (n * 11) % 2000)),
  at, at, case when live then at end
from generate_series(1, 10000) n, (values (false), (true)) v(live), stamp order by n, live;

insert into articles_categories (version_id, document_id, position, inverse_position)
select a.id, 'catg' || lpad((1 + (a.id / 2 * k * 3 + k) % 50)::text, 20, '0'), k, a.id
from articles a, generate_series(1, 3) k on conflict do nothing;

insert into stories (document_id, title, slug, summary, data, views, rating, featured, day, cover_id, author_document_id, seo, sections, created_at, updated_at, published_at)
select 'stor' || right(document_id, 20), title, slug, summary, body, views, 4.5, featured, day, cover_id, author_document_id, seo, sections, created_at, updated_at, published_at
from articles order by id;

insert into stories_categories (version_id, document_id, position, inverse_position)
select s.id, 'catg' || lpad((1 + (s.id / 2 * k * 3 + k) % 50)::text, 20, '0'), k, s.id
from stories s, generate_series(1, 2) k on conflict do nothing;

drop table stamp;
