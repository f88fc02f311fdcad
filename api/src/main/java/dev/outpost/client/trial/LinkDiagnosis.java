package dev.outpost.client.trial;

/** The machine that is to be left out, and a sentence that says why. */
public record LinkDiagnosis(ProbedMachine probed, String reason) {}
