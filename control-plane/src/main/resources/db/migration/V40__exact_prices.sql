-- The price of a GPU for an hour, exactly as it was set. Replicas of the version before go by nanos_per_second, which is rounded.
ALTER TABLE prices ADD COLUMN per_hour numeric;
