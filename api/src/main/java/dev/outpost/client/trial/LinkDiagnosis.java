package dev.outpost.client.trial;

/** The machine that is at fault and should not be used, and a sentence with the reason. */
public record LinkDiagnosis(ProbedMachine probed, String reason) {}
