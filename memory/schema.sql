-- The file's own name, by which its vectors are told from those of other files.
CREATE TABLE memory (name TEXT NOT NULL);
INSERT INTO memory VALUES (lower(hex(randomblob(8))));

-- An id is never given twice, as vectors are named by it.
CREATE TABLE lesson (
	id         INTEGER PRIMARY KEY AUTOINCREMENT,
	repo       TEXT NOT NULL,
	kind       TEXT NOT NULL,
	run        TEXT NOT NULL,
	saved      INTEGER NOT NULL, -- ms since 1970
	issue_kind TEXT NOT NULL,
	class      TEXT NOT NULL,
	confidence REAL NOT NULL,
	sha        TEXT NOT NULL,
	title      TEXT NOT NULL,
	files      TEXT NOT NULL,    -- a JSON list
	text       TEXT NOT NULL,
	UNIQUE (repo, kind, run)
);
CREATE INDEX lesson_age ON lesson (repo, kind, saved, id);
