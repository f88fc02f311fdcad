-- The trace (W3C traceparent) in which a machine was asked for, so that what is done for it later is part of that trace.
CREATE TABLE machine_traces (
    machine     uuid PRIMARY KEY REFERENCES machines,
    traceparent text NOT NULL
);
