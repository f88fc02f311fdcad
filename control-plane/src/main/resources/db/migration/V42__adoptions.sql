-- Counts how often it was asked that a cluster's machines are taken in. The end of a look that began before the last time leaves the mark.
ALTER TABLE clusters ADD COLUMN adoption bigint NOT NULL DEFAULT 0;
