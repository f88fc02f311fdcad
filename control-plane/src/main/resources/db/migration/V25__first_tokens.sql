-- The time from a request that found no replica to the first token, of the latest start from zero, and when it was told.
ALTER TABLE deployments
    ADD COLUMN zero_to_token bigint,
    ADD COLUMN zero_to_token_at timestamptz;
