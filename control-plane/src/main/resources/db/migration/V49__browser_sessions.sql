-- Sessions of browsers. Of the text in a browser's cookie there is only the hash.
CREATE TABLE browser_sessions (
    hash       bytea PRIMARY KEY,
    key_id     text NOT NULL REFERENCES keys ON DELETE CASCADE,
    expires_at timestamptz NOT NULL
);
CREATE INDEX browser_sessions_of_key ON browser_sessions (key_id);
CREATE INDEX browser_sessions_expired ON browser_sessions (expires_at);

-- What a project used in each five minutes: the most of the samples in them.
CREATE TABLE use_samples (
    organisation text NOT NULL,
    project      text NOT NULL,
    at           timestamptz NOT NULL,
    machines     int NOT NULL,
    gpus         int NOT NULL,
    memory_bytes bigint NOT NULL,
    PRIMARY KEY (organisation, project, at),
    FOREIGN KEY (organisation, project) REFERENCES projects ON DELETE CASCADE
);
CREATE INDEX use_samples_by_time ON use_samples (at);
