package dev.outpost.cli.parity.fuzz;

import dev.outpost.HostTensor;

/** What can be seen of a tensor. */
record Seen(HostTensor value, boolean requiresGrad) {}
