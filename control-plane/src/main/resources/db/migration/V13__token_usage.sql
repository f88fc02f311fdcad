-- What texts of a model cost, by the model's name and from a date on.
CREATE TABLE token_prices (
    model            text NOT NULL,
    from_at          timestamptz NOT NULL,
    prompt_nanos     bigint NOT NULL CHECK (prompt_nanos >= 0),
    cached_nanos     bigint NOT NULL CHECK (cached_nanos >= 0),
    new_nanos        bigint NOT NULL CHECK (new_nanos >= 0),
    nanos_per_second bigint NOT NULL CHECK (nanos_per_second >= 0),
    PRIMARY KEY (model, from_at)
);

-- Batches of records that servers have sent, so that one that is sent again is not counted again.
CREATE TABLE token_batches (
    organisation text NOT NULL REFERENCES organisations,
    id           uuid NOT NULL,
    hash         bytea NOT NULL,
    received_at  timestamptz NOT NULL DEFAULT outpost_now(),
    PRIMARY KEY (organisation, id)
);
CREATE INDEX token_batches_by_age ON token_batches (received_at);

-- What a key has used of a model in an hour, with what that cost by the prices of the time.
CREATE TABLE token_usages (
    organisation  text NOT NULL,
    project       text NOT NULL,
    key_id        text NOT NULL,
    model         text NOT NULL,
    hour          timestamptz NOT NULL,
    texts         bigint NOT NULL,
    prompt_tokens bigint NOT NULL,
    cached_tokens bigint NOT NULL,
    new_tokens    bigint NOT NULL,
    seconds       bigint NOT NULL,
    nanos         bigint NOT NULL,
    PRIMARY KEY (organisation, project, key_id, model, hour),
    FOREIGN KEY (organisation, project) REFERENCES projects
);
CREATE INDEX token_usages_by_hour ON token_usages (organisation, hour);
