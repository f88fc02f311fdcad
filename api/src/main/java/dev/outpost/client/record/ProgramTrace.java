package dev.outpost.client.record;

/** A program that is being traced. The values that it makes stand for those of each call, and are on no machine. */
public interface ProgramTrace {}
