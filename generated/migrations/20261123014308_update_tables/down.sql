-- update_tables, undone
--
-- Does:  drops files.folder_path
-- Locks: files: everything, for a moment
-- Loses: every value of files.folder_path
-- Newer: stop processes of that build before this runs, because it
--        drops files.folder_path

alter table "files" drop column "folder_path";
