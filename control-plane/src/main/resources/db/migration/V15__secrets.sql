-- Values are sealed by AES-GCM under a key that is not in this database; key_name says which one.
CREATE TABLE secrets (
    organisation text NOT NULL,
    project      text NOT NULL,
    name         text NOT NULL,
    key_name     text NOT NULL,
    sealed       bytea NOT NULL,
    version      bigint NOT NULL DEFAULT 1,
    created_at   timestamptz NOT NULL DEFAULT outpost_now(),
    changed_at   timestamptz NOT NULL DEFAULT outpost_now(),
    PRIMARY KEY (organisation, project, name),
    FOREIGN KEY (organisation, project) REFERENCES projects
);
