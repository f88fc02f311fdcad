-- Keys that callers have shown to gateways. A gateway bills texts to such keys, and to no others.
CREATE TABLE shown_keys (
    gateway_key text NOT NULL,
    key_id      text NOT NULL,
    shown_at    timestamptz NOT NULL,
    PRIMARY KEY (gateway_key, key_id)
);
