package dev.outpost.protocol.op;

/** Ops that compute nothing: they say where a value's elements come from, and no engine sees them. */
public sealed interface Placement extends Op permits AsStrided, Literal, Upload {}
