package dev.outpost.client.trial;

/** The machine that should be left out, and a sentence with the reason. */
public record LinkDiagnosis(ProbedMachine probed, String reason) {}
