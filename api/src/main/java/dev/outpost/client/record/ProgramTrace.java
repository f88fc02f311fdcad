package dev.outpost.client.record;

/** A program that is being traced. Its values stand for the values of each later call and are on no machine. */
public interface ProgramTrace {}
