package dev.outpost.cli.parity.fuzz;

import dev.outpost.HostTensor;

/** The visible state of a tensor. */
record Seen(HostTensor value, boolean requiresGrad) {}
