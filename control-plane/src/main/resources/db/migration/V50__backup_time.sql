-- The time at which the last backup was complete. Operators are warned if it is long ago.
ALTER TABLE installation ADD COLUMN backup_at timestamptz;
