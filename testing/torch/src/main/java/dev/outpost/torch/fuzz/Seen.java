package dev.outpost.torch.fuzz;

import dev.outpost.HostTensor;

/** The visible state of a tensor. */
record Seen(HostTensor value, boolean requiresGrad) {}
