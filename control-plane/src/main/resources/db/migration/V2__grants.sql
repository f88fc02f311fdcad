-- What the holder of a token may do, beside until when.
ALTER TABLE grants
    ADD COLUMN memory_bytes bigint CHECK (memory_bytes > 0),
    ADD COLUMN weight int NOT NULL DEFAULT 100,
    ADD COLUMN sessions int CHECK (sessions > 0),
    ADD COLUMN version bigint NOT NULL DEFAULT 1;

-- How machines say that their grants are used, as they said it last. A row may be of a token that no grant is known of.
CREATE TABLE grant_reports (
    machine      uuid NOT NULL REFERENCES machines,
    sha256       text NOT NULL,
    sessions     int NOT NULL,
    last_seen    timestamptz,
    live_bytes   bigint NOT NULL,
    engine_nanos bigint NOT NULL,
    reported_at  timestamptz NOT NULL,
    PRIMARY KEY (machine, sha256)
);
