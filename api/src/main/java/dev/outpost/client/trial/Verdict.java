package dev.outpost.client.trial;

/** The machine that is to be left out, and a sentence that says why. */
public record Verdict(TriedMachine machine, String reason) {}
