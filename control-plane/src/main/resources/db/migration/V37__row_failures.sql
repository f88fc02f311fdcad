-- Rows that a loop failed to work on. It leaves a row alone until retry_at, longer after each failure, and goes on with the others.
CREATE TABLE row_failures (
    loop     text NOT NULL,
    row_key  text NOT NULL,
    failures int NOT NULL,
    text     text NOT NULL,
    since    timestamptz NOT NULL,
    retry_at timestamptz NOT NULL,
    PRIMARY KEY (loop, row_key)
);

-- Requests that wait, by project and kind of GPU: those of other projects are not read to find the first of one.
CREATE INDEX machines_waiting ON machines (organisation, project, gpu, (phase = 'QUOTA'), created_at, id)
    WHERE phase IN ('QUOTA', 'POSITION', 'CAPACITY');

-- What is to be sent to one webhook: the deliveries of others are not read for it.
CREATE INDEX webhook_deliveries_waiting ON webhook_deliveries (webhook, due_at) WHERE due_at IS NOT NULL;

-- Requests that a machine of a pool would do for.
CREATE INDEX machines_claimable ON machines (gpu, lease)
    WHERE phase IN ('POSITION', 'CAPACITY') AND lease IS NOT NULL AND idle IS NULL AND organisation <> 'outpost.pools';
