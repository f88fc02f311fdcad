-- Whose bytes these are, and how many of them are in the organisation's total. Those that nothing refers to any more are removed part by
-- part, since one may have many parts.
ALTER TABLE contents
    ADD COLUMN organisation text,
    ADD COLUMN counted_size bigint NOT NULL DEFAULT 0,
    ADD COLUMN removed_at timestamptz;
ALTER TABLE contents ADD COLUMN uncounted boolean
    GENERATED ALWAYS AS (organisation <> '' AND size <> counted_size) STORED;
CREATE INDEX contents_to_count ON contents (organisation) WHERE uncounted;
CREATE INDEX contents_removed ON contents (removed_at) WHERE removed_at IS NOT NULL;

UPDATE contents c SET organisation = f.organisation FROM files f WHERE f.content = c.id;
UPDATE contents c SET organisation = j.organisation FROM job_attempts a JOIN jobs j ON j.id = a.job WHERE a.log = c.id;
UPDATE contents c SET organisation = j.organisation FROM job_artefacts a JOIN jobs j ON j.id = a.job WHERE a.content = c.id;

-- A webhook with many deliveries is removed after them.
ALTER TABLE webhooks ADD COLUMN removed_at timestamptz;
CREATE INDEX webhooks_removed ON webhooks (removed_at) WHERE removed_at IS NOT NULL;
