/**
 * The interfaces that a supplier of machines implements: from a {@link dev.outpost.provider.MachineSpec} a provider
 * makes a {@link dev.outpost.provider.Lease}, and the lease says at which {@link dev.outpost.provider.Endpoint} the
 * machine answers. Nothing here knows what a tensor is.
 */
@NullMarked
package dev.outpost.provider;

import org.jspecify.annotations.NullMarked;
