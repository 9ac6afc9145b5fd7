-- update_tables
--
-- Does:  adds files.folder_path
-- Locks: files: everything, for a moment
-- Loses: nothing
-- Older: processes of that build go on while this runs and after it

alter table "files" add column "folder_path" text;
