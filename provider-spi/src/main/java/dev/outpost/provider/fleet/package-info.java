/**
 * The interfaces that a supplier of machines implements so that a control plane can drive it: a {@link
 * dev.outpost.provider.fleet.MachineFleet} makes machines by their descriptions and observes the existing ones.
 */
@NullMarked
package dev.outpost.provider.fleet;

import org.jspecify.annotations.NullMarked;
