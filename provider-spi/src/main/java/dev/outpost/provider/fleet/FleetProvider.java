package dev.outpost.provider.fleet;

import java.util.Map;

/** A supplier whose machines a control plane can drive. Found by {@link java.util.ServiceLoader}; safe for use by many threads. */
public interface FleetProvider {
    /**
     * Returns the supplier's name in settings, such as {@code k8s}. Its {@link dev.outpost.provider.GpuProvider} has
     * the same name.
     */
    String name();

    /**
     * Opens the machines of one installation of a control plane. Does not contact the supplier.
     *
     * @param installation a DNS label that distinguishes the installations at one supplier
     * @param options settings of all its machines, with the names of a machine's options, which override them
     * @throws IllegalArgumentException if a name or an option is refused; the message names it and the value
     */
    MachineFleet open(String installation, Map<String, String> options);
}
