/**
 * The interfaces that a supplier of machines implements. A provider makes a {@link dev.outpost.provider.Lease} from a {@link
 * dev.outpost.provider.MachineSpec}, and the lease has the {@link dev.outpost.provider.Endpoint} of the machine. Nothing here depends
 * on tensors.
 */
@NullMarked
package dev.outpost.provider;

import org.jspecify.annotations.NullMarked;
