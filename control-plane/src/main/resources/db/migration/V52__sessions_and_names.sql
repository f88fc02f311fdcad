-- A key has a limited number of sessions; a further one replaces the oldest.
ALTER TABLE browser_sessions ADD COLUMN created_at timestamptz NOT NULL DEFAULT outpost_now();

-- The last act in the audit log that belongs to an earlier, removed organisation of this name.
ALTER TABLE organisations ADD COLUMN acts_before bigint NOT NULL DEFAULT 0;
