/**
 * SQL functions for full-text search, which `cms migrate` creates and triggers call. They need no extension. What they
 * return must never change: the words that are stored would have to be computed again.
 */

/** The dictionaries of PostgreSQL, by the language of a locale. */
const LANGUAGES: Readonly<Record<string, string>> = {
  ar: "arabic",
  da: "danish",
  de: "german",
  el: "greek",
  en: "english",
  es: "spanish",
  fi: "finnish",
  fr: "french",
  hu: "hungarian",
  id: "indonesian",
  it: "italian",
  lt: "lithuanian",
  nb: "norwegian",
  nl: "dutch",
  nn: "norwegian",
  no: "norwegian",
  pt: "portuguese",
  ro: "romanian",
  ru: "russian",
  sv: "swedish",
  tr: "turkish",
};

const dictionary = `case split_part(lower(language), '-', 1)
    ${Object.entries(LANGUAGES)
      .map(([code, name]) => `when '${code}' then 'pg_catalog.${name}'::regconfig`)
      .join("\n    ")}
    else 'pg_catalog.simple'::regconfig end`;

/**
 * Strips accents, and asterisks that make part of a word bold in Markdown, from a text, after truncating it to what the
 * words of a row may take up.
 */
const plain = (text: string, most: number): string =>
  String.raw`regexp_replace(normalize(left(${text}, ${most}), NFD), '[\u0300-\u036f]|(\w)\*+(?=\w)', '\1', 'g')`;

/** A query for the words of a text, each only once: PostgreSQL would look up each repetition. */
const parsed = (dictionary: string, ending: string): string => `(
      select string_agg(distinct lexeme || '${ending}', ' & ')
      from regexp_split_to_table(plainto_tsquery(${dictionary}, word)::text, ' & ') as lexeme where lexeme <> ''
    )`;

/** Words as their language stems them, and as they are written, so that incomplete words match, too. */
const weighted = (text: string, weight: string, most: number): string => `
  case when ${text} = '' then '' else setweight((
    select to_tsvector(dictionary, folded) || to_tsvector('pg_catalog.simple', folded)
    from (select ${plain(text, most)} as folded, ${dictionary} as dictionary offset 0) as text
  ), '${weight}') end`;

/** The alphabet of a word. */
const ALPHABET = String.raw`case
    when word ~ '[\u0400-\u04ff]' then 'абвгдежзиклмнопрстуфхцчшщъыьэюяєі'
    when word ~ '[\u0370-\u03ff]' then 'αβγδεζηθικλμνξοπρσςτυφχψω'
    else 'abcdefghijklmnopqrstuvwxyzßæø' end`;

/** The size of queries that are reduced before words are marked. */
const LARGE = 200;

/**
 * A query that marks the same words in the text `shown`: of a large one, it has the words of the text, and beginnings.
 * PostgreSQL compares each word of a text with each of the query, which may have a thousand where words have a typo.
 */
const present = (query: string): string => `case when numnode(${query}) < ${LARGE} then ${query} else coalesce((
    select string_agg(item, ' | ') from string_to_table(${query}::text, ' ') as item
    where item like '''%'':*' or item in (select quote_literal(lexeme) from unnest(to_tsvector(dictionary, shown)))
  ), '')::tsquery end`;

/** How many words of a query may have a typo, and how long these are: each letter adds some sixty words to look up. */
const MISTAKEN = 5;
const [SHORTEST, LONGEST] = [4, 16];

const IMMUTABLE = "language sql immutable parallel safe cost 10000";

/** The texts of blocks, and the blocks and list items that hold them and separate their words. */
const LINES = `strict $.** ? (@.type == "text" || (@.type != "link" && exists(@.children)))`;

/**
 * The functions. `galley_keep` keeps a column equal to an expression over the other columns of its table; without one, no
 * longer. Its function has a name that no other table can get, whatever numbers tables have after a dump is restored.
 * It is not compiled: compiling takes some 40 ms for each row. Triggers run in the order of their names: after "~", those
 * of a user's own have run.
 */
export const SEARCH_FUNCTIONS = String.raw`
create or replace function galley_words(language text, a text, b text, c text, d text) returns tsvector ${IMMUTABLE} as $$
  select ${weighted("a", "A", 15_000)} || ${weighted("b", "B", 15_000)} || ${weighted("c", "C", 15_000)} || ${weighted("d", "D", 60_000)}
$$;

create or replace function galley_texts(value json) returns text ${IMMUTABLE} as $$
  select string_agg(found #>> '{}', ' ') from jsonb_path_query(value::jsonb, 'strict $.** ? (@.type() == "string")') as found
$$;

create or replace function galley_texts(value json, paths jsonpath[]) returns text ${IMMUTABLE} as $$
  select string_agg(case jsonb_typeof(found) when 'string' then found #>> '{}' when 'array' then (
    select string_agg(case node ->> 'type' when 'text' then node ->> 'text' else ' ' end, '')
    from jsonb_path_query(found, '${LINES}', '{}', true) as node
  ) end, ' ')
  from (select value::jsonb as document offset 0) as read, unnest(paths) as path,
    jsonb_path_query(document, path, '{}', true) as found
$$;

create or replace function galley_excerpt(value text) returns text ${IMMUTABLE} as $$
  select normalize(btrim(regexp_replace(left(translate(value, U&'\E000\E001', ''), 10000), '\s+', ' ', 'g')), NFC)
$$;

create or replace function galley_query(language text, words text) returns tsquery ${IMMUTABLE} as $$
  select string_agg(distinct '(' || coalesce('(' || stems || ') | ', '') || '(' || starts || '))', ' & ')::tsquery
  from (select ${plain("words", 1000)} as folded, ${dictionary} as dictionary offset 0) as text,
    regexp_split_to_table(folded, '\s+') as word,
    lateral (select ${parsed("dictionary", "")} as stems, ${parsed("'pg_catalog.simple'", ":*")} as starts) as read
  where starts is not null
$$;

create or replace function galley_keep(source regclass, made text, value text) returns void language plpgsql as $body$
declare
  kept text := coalesce((
    select proname from pg_proc join pg_trigger on tgfoid = pg_proc.oid where tgrelid = source and tgname = '~' || made
  ), format('galley_keep_%s', gen_random_uuid()));
  inputs text[] := (
    select array_agg(quote_ident(attname)) from pg_attribute
    where attrelid = source and attnum > 0 and not attisdropped and strpos(value, format('"%s"', attname)) > 0
  );
begin
  if value is null then
    execute format('drop function if exists %I() cascade', kept);
    return;
  end if;
  execute format('create or replace function %I() returns trigger language plpgsql set jit = off set search_path from current as $trigger$
    #variable_conflict use_column
    begin
      if tg_op = ''UPDATE'' then
        if new.%2$I = old.%2$I and (%3$s) is not distinct from (%4$s) then
          return new;
        end if;
      end if;
      select (%5$s) into new.%2$I from (select new.*) as galley_row;
      return new;
    end $trigger$', kept, made, (select string_agg(format('new.%s::text', each), ', ') from unnest(inputs) as each),
    (select string_agg(format('old.%s::text', each), ', ') from unnest(inputs) as each), value);
  execute format('comment on function %I() is %L', kept, value);
  if not exists (select from pg_trigger where tgrelid = source and tgname = '~' || made) then
    execute format('create trigger %I before insert or update on %s for each row
      when (current_setting(''galley.made'', true) is distinct from ''yes'') execute function %I()', '~' || made, source, kept);
  end if;
end
$body$;

create or replace function galley_mistaken(dictionary regconfig, word text) returns text ${IMMUTABLE} as $$
  select string_agg(quote_literal(lexeme), ' | ')
  from unnest(to_tsvector(dictionary, (
    select string_agg(left(word, at - 1) || changed, ' ')
    from generate_series(1, length(word) + 1) as at, lateral (
      select substr(word, at + 1) as changed
      union all select substr(word, at + 1, 1) || substr(word, at, 1) || substr(word, at + 2)
      union all select letter || substr(word, at + change)
      from regexp_split_to_table(${ALPHABET}, '') as letter, generate_series(0, 1) as change
    ) as changes
  )))
  where length(word) between ${SHORTEST} and ${LONGEST} and word !~ '[\u0001-\u0060\u007b-\u00bf]'
$$;

create or replace function galley_query(language text, words text, typos boolean) returns tsquery ${IMMUTABLE} as $$
  select case when not typos then galley_query(language, words) else (
    select string_agg(distinct '(' || concat_ws(' | ', '(' || exact || ')', galley_mistaken(dictionary, mistaken)) || ')', ' & ')::tsquery
    from (select ${plain("words", 1000)} as folded, ${dictionary} as dictionary offset 0) as text,
      lateral (
        select string_agg(word, ' ') as part, case when min(at) <= ${MISTAKEN} then lower(min(word)) end as mistaken
        from regexp_split_to_table(folded, '\s+') with ordinality as split(word, at) group by least(at, ${MISTAKEN} + 1)
      ) as parts,
      lateral (select galley_query(language, part)::text as exact) as read
    where exact is not null
  ) end
$$;

create or replace function galley_marked(language text, query tsquery, value text) returns text ${IMMUTABLE} as $$
  select ts_headline(dictionary, shown, ${present("query")}, U&'HighlightAll=true,StartSel=\E000,StopSel=\E001')
  from (select galley_excerpt(value) as whole, ${dictionary} as dictionary offset 0) as text,
    lateral (select regexp_replace(normalize(whole, NFD), '[\u0300-\u036f]', '', 'g') as folded) as read,
    lateral (select case when length(folded) = length(whole) then folded else whole end as shown offset 0) as chosen
$$;

create or replace function galley_marked(language text, words text, value text) returns text ${IMMUTABLE} as $$
  select galley_marked(language, galley_query(language, words), value)
$$;`;
