CREATE TABLE thread (
	id     INTEGER PRIMARY KEY AUTOINCREMENT,
	name   TEXT NOT NULL UNIQUE,
	run    TEXT NOT NULL,
	status TEXT NOT NULL,
	ended  INTEGER NOT NULL DEFAULT 0,  -- ns since 1970; 0 while it runs
	fence  INTEGER NOT NULL DEFAULT 0,
	host   TEXT NOT NULL DEFAULT '',    -- of the owner; empty: nobody
	pid    INTEGER NOT NULL DEFAULT 0,
	start  INTEGER NOT NULL DEFAULT 0,
	until  INTEGER NOT NULL DEFAULT 0
);

-- Data of up to 512 bytes stands in d, larger data under its hash in blob.
CREATE TABLE ckpt (
	thread INTEGER NOT NULL,
	step   INTEGER NOT NULL,
	graph  TEXT NOT NULL,
	at     INTEGER NOT NULL,
	d      BLOB,
	h      BLOB,
	PRIMARY KEY (thread, step)
) WITHOUT ROWID;
CREATE INDEX ckpt_h ON ckpt (h) WHERE h IS NOT NULL;

CREATE TABLE fld (
	thread  INTEGER NOT NULL,
	field   TEXT NOT NULL,
	step    INTEGER NOT NULL,
	delta   INTEGER NOT NULL,
	version INTEGER NOT NULL,
	d       BLOB,
	h       BLOB,
	PRIMARY KEY (thread, field, step)
) WITHOUT ROWID;
CREATE INDEX fld_h ON fld (h) WHERE h IS NOT NULL;

-- Rows of more than about 1 KB would spill to overflow pages in a table WITHOUT
-- ROWID, which doubles the file.
CREATE TABLE blob (h BLOB PRIMARY KEY, d BLOB NOT NULL);

CREATE TABLE task (
	thread  INTEGER NOT NULL,
	step    INTEGER NOT NULL,
	idx     INTEGER NOT NULL,
	state   TEXT NOT NULL,
	attempt INTEGER NOT NULL,
	d       BLOB NOT NULL,
	PRIMARY KEY (thread, step, idx)
);

CREATE TABLE effect (
	thread INTEGER NOT NULL,
	step   INTEGER NOT NULL,
	task   INTEGER NOT NULL,
	key    TEXT NOT NULL,
	d      BLOB NOT NULL,
	PRIMARY KEY (thread, step, task, key)
);

CREATE TABLE answer (
	thread INTEGER NOT NULL,
	id     TEXT NOT NULL,
	node   TEXT NOT NULL,
	key    TEXT NOT NULL,
	value  BLOB NOT NULL,
	who    TEXT NOT NULL,
	at     INTEGER NOT NULL,
	shown  TEXT NOT NULL,
	PRIMARY KEY (thread, id)
);
