/**
 * The interfaces that a supplier of machines implements so that a control plane can drive it: a {@link
 * dev.outpost.provider.fleet.MachineFleet} makes the machines that are described to it and observes those there are.
 */
@NullMarked
package dev.outpost.provider.fleet;

import org.jspecify.annotations.NullMarked;
