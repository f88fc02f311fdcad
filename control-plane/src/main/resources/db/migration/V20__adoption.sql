-- After a restore a cluster has machines that no row knows: they are taken in once, and not ended.
ALTER TABLE clusters ADD COLUMN adopting boolean NOT NULL DEFAULT false;
