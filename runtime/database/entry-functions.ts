/**
 * SQL functions over entries of components, which are JSON. `cms migrate` makes them, and migrations call them: what a
 * function does under its name, it does for ever, because migrations that were committed are run again elsewhere.
 * All leave SQL's null and JSON's null as they are.
 */

/** An expression over the entry, where there is one. */
const ofEntry = (expression: string): string =>
  `select case json_typeof(entry) when 'object' then ${expression} else entry end`;

/** The same for each entry of a list, or for a single one. */
const ofEntries = (expression: string): string => `select case json_typeof(entries)
    when 'array' then (
      select coalesce(json_agg(${expression} order by position), '[]')
      from json_array_elements(entries) with ordinality as items (entry, position)
    )
    when 'object' then (select ${expression} from (select entries as entry) as items)
    else entries
  end`;

const sql = (signature: string, body: string): string =>
  `create or replace function ${signature} returns json language sql immutable as $$\n  ${body}\n$$;`;

const FUNCTIONS: readonly string[] = [
  // Fields under other names, where they stand.
  sql(
    "galley_rename(entry json, names json)",
    ofEntry(`(
    select coalesce(json_object_agg(coalesce(names ->> key, key), value order by position), '{}')
    from json_each(entry) with ordinality as fields (key, value, position)
  )`),
  ),
  sql(
    "galley_remove(entry json, variadic gone text[])",
    ofEntry(`(
    select coalesce(json_object_agg(key, value order by position), '{}')
    from json_each(entry) with ordinality as fields (key, value, position)
    where key <> all (gone)
  )`),
  ),
  // Another value for a field that has one.
  sql(
    "galley_change(entry json, field text, changed json)",
    ofEntry(`(
    select coalesce(json_object_agg(key, case when key = field and json_typeof(value) <> 'null' then changed else value end order by position), '{}')
    from json_each(entry) with ordinality as fields (key, value, position)
  )`),
  ),
  // Fields with their values: those that are there in their places, others at the end.
  sql(
    "galley_add(entry json, added json)",
    ofEntry(`(
    select json_object_agg(coalesce(mine.key, new.key), case when new.key is null then mine.value else new.value end
      order by mine.position, new.position)
    from json_each(entry) with ordinality as mine (key, value, position)
    full join json_each(added) with ordinality as new (key, value, position) on mine.key = new.key
  )`),
  ),
  // The same; makes an entry where there is none and any of the fields has a value.
  `create or replace function galley_fill(entry json, added json) returns json language plpgsql as $$
begin
  if json_typeof(entry) = 'object' then
    return galley_add(entry, added);
  elsif exists (select from json_each(added) where json_typeof(value) <> 'null') then
    return galley_add(json_build_object('id', nextval('component_ids')), added);
  end if;
  return entry;
end
$$;`,
  // Each entry of a list by a function: those of one component, or all of them where none is named.
  `create or replace function galley_each_of(entries json, component text, change regproc) returns json language plpgsql as $$
declare
  changed json;
begin
  if json_typeof(entries) is distinct from 'array' then
    return entries;
  end if;
  execute format('select coalesce(json_agg(case when $2 is null or entry ->> ''__component'' = $2 then %s(entry) else entry end order by position), ''[]'')
    from json_array_elements($1) with ordinality as items (entry, position)', change) into changed using entries, component;
  return changed;
end
$$;`,
  `create or replace function galley_each(entries json, change regproc) returns json language sql as $$
  select galley_each_of(entries, null, change)
$$;`,
  // Entries of a zone without those of some components.
  sql(
    "galley_without(entries json, variadic components text[])",
    `select case json_typeof(entries) when 'array' then (
    select coalesce(json_agg(entry order by position), '[]')
    from json_array_elements(entries) with ordinality as items (entry, position)
    where entry ->> '__component' <> all (components)
  ) else entries end`,
  ),
  // Whether a zone has entries of any of some components.
  `create or replace function galley_has(entries json, variadic components text[]) returns boolean language sql immutable as $$
  select json_typeof(entries) = 'array' and exists (
    select from json_array_elements(entries) as entry where entry ->> '__component' = any (components)
  )
$$;`,
  // The name of its component at the head of an entry, of another component in its place, or none.
  sql(
    "galley_name(entries json, component text)",
    ofEntries(`(
        select json_object_agg(key, value order by position)
        from (
          select '__component' as key, to_json(component) as value, 0 as position
          union all
          select fields.* from json_each(entry) with ordinality as fields (key, value, position) where key <> '__component'
        ) as named
      )`),
  ),
  // A list of one value, where there is one.
  sql(
    "galley_list(value json)",
    `select case when json_typeof(value) <> 'null' then json_build_array(value) else value end`,
  ),
  sql("galley_unname(entries json)", ofEntries("galley_remove(entry, '__component')")),
  sql(
    "galley_rename_components(entries json, names json)",
    ofEntries(`case when names -> (entry ->> '__component') is null then entry
        else galley_change(entry, '__component', names -> (entry ->> '__component')) end`),
  ),
  // Relations to any type name that of each document.
  sql(
    "galley_rename_types(entries json, names json)",
    ofEntries(`case when names -> (entry ->> '__type') is null then entry
        else galley_change(entry, '__type', names -> (entry ->> '__type')) end`),
  ),
  // Links to documents of one type get its name, or those of some types lose it and the others go.
  sql(
    "galley_type(links json, type text)",
    `select case json_typeof(links)
    when 'string' then json_build_object('documentId', links, '__type', type)
    when 'array' then (
      select coalesce(json_agg(json_build_object('documentId', link, '__type', type) order by position), '[]')
      from json_array_elements(links) with ordinality as items (link, position)
    )
    else links
  end`,
  ),
  sql(
    "galley_untype(links json, variadic types text[])",
    `select case json_typeof(links)
    when 'object' then case when links ->> '__type' = any (types) then links -> 'documentId' else 'null' end
    when 'array' then (
      select coalesce(json_agg(link -> 'documentId' order by position), '[]')
      from json_array_elements(links) with ordinality as items (link, position)
      where link ->> '__type' = any (types)
    )
    else links
  end`,
  ),
  // A table beside another one for values that are made before they are put in place, and a trigger that notes in it which
  // rows are written meanwhile: those are late. Does nothing where both are there.
  `create or replace function galley_prepare(source regclass, made text, variadic fields text[]) returns void language plpgsql as $body$
begin
  execute format('create unlogged table if not exists %I ("id" integer primary key, "late" boolean not null default false, %s)',
    made, (select string_agg(format('%I json', field), ', ') from unnest(fields) as field));
  execute format('create or replace function %I() returns trigger language plpgsql as $trigger$
    begin
      insert into %I ("id", "late") values (new."id", true) on conflict ("id") do update set "late" = true;
      return null;
    end $trigger$', made, made);
  if not exists (select from pg_trigger where tgrelid = source and tgname = made) then
    execute format('create trigger %I after insert or update on %s for each row
      when (current_setting(''galley.made'', true) is distinct from ''yes'') execute function %I()', made, source, made);
  end if;
end
$body$;`,
  `create or replace function galley_discard(source regclass, made text) returns void language plpgsql as $$
begin
  execute format('drop trigger if exists %I on %s', made, source);
  execute format('drop function if exists %I()', made);
  execute format('drop table if exists %I', made);
end
$$;`,
  // A column beside another one for what that becomes, and a trigger that fills it in what is written meanwhile; null stands
  // for what does not convert, and the migration stops at it. Does nothing where both are there.
  `create or replace function galley_follow(source regclass, made text, type text, value text) returns void language plpgsql as $body$
begin
  execute format('alter table %s add column if not exists %I %s', source, made, type);
  execute format('create or replace function %I() returns trigger language plpgsql as $trigger$
    #variable_conflict use_column
    begin
      begin
        select (%s) into new.%I from (select new.*) as %I;
      exception when others then
        new.%I := null;
      end;
      return new;
    end $trigger$', made, value, made, (select relname from pg_class where oid = source), made);
  if not exists (select from pg_trigger where tgrelid = source and tgname = made) then
    execute format('create trigger %I before insert or update on %s for each row
      when (current_setting(''galley.made'', true) is distinct from ''yes'') execute function %I()', made, source, made);
  end if;
end
$body$;`,
  // Puts it in the place of the other one, which goes with those of its indexes that are named. What somebody else has made of
  // that column would go too: then it is converted where it is.
  `create or replace function galley_take(source regclass, field text, made text, type text, value text, variadic indexes text[] default '{}') returns void language plpgsql as $$
declare
  place smallint := (select attnum from pg_attribute where attrelid = source and attname = field and attacl is null);
begin
  execute format('drop trigger %I on %s', made, source);
  execute format('drop function %I()', made);
  if place is null or exists (
    select from pg_depend where refclassid = 'pg_class'::regclass and refobjid = source and refobjsubid = place and not
      (classid = 'pg_class'::regclass and objid in (select oid from pg_class where relkind = 'i' and relname = any (indexes)))
  ) then
    execute format('alter table %s drop column %I', source, made);
    execute format('alter table %s alter column %I type %s using (%s)', source, field, type, value);
  else
    execute format('alter table %s drop column %I', source, field);
    execute format('alter table %s rename column %I to %I', source, made, field);
  end if;
end
$$;`,
  `create or replace function galley_leave(source regclass, made text) returns void language plpgsql as $$
begin
  execute format('drop trigger if exists %I on %s', made, source);
  execute format('drop function if exists %I()', made);
  execute format('alter table %s drop column if exists %I', source, made);
end
$$;`,
  // Stops where a value has no place.
  `create or replace function galley_one_of(value json, allowed text[], place text) returns json language plpgsql as $$
begin
  if json_typeof(value) <> 'null' and value #>> '{}' <> all (allowed) then
    raise exception '% has the value "%", which is no longer allowed: change that first, or say with "renamedValues" what it is called now', place, value #>> '{}';
  end if;
  return value;
end
$$;`,
  `create or replace function galley_fitting(value text, longest integer, place text) returns text language plpgsql as $$
begin
  if length(value) > longest then
    raise exception '% has a text of % characters, and % is the most: shorten it first', place, length(value), longest;
  end if;
  return value;
end
$$;`,
];

/** SQL that makes all of them, or replaces them by what they are now. */
export const ENTRY_FUNCTIONS = FUNCTIONS.join("\n\n");
