-- Where events are sent. The key by which they are signed is sealed as secrets are.
CREATE TABLE webhooks (
    id           uuid PRIMARY KEY,
    version      bigint NOT NULL DEFAULT 1,
    organisation text NOT NULL REFERENCES organisations,
    project      text,
    url          text NOT NULL,
    -- Beginnings of the types that are sent; all of them where there is none.
    types        text[] NOT NULL,
    key_name     text NOT NULL,
    sealed       bytea NOT NULL,
    paused       boolean NOT NULL DEFAULT false,
    created_at   timestamptz NOT NULL DEFAULT outpost_now(),
    FOREIGN KEY (organisation, project) REFERENCES projects
);
CREATE INDEX webhooks_of_organisation ON webhooks (organisation);

-- One for each event and webhook. DEAD ones were tried as often as they are, and can be sent again by hand.
CREATE TABLE webhook_deliveries (
    id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    webhook    uuid NOT NULL REFERENCES webhooks ON DELETE CASCADE,
    event      uuid NOT NULL,
    type       text NOT NULL,
    body       text NOT NULL,
    state      text NOT NULL DEFAULT 'PENDING' CHECK (state IN ('PENDING', 'DELIVERED', 'DEAD')),
    tries      int NOT NULL DEFAULT 0,
    text       text NOT NULL DEFAULT '',
    created_at timestamptz NOT NULL DEFAULT outpost_now(),
    due_at     timestamptz,
    lock_token uuid,
    UNIQUE (webhook, event)
);
CREATE INDEX webhook_deliveries_due ON webhook_deliveries (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX webhook_deliveries_listed ON webhook_deliveries (webhook, id);
