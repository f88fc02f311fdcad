package dev.outpost.provider.fleet;

import java.util.Map;

/** A supplier whose machines a control plane can drive. Found by {@link java.util.ServiceLoader}; safe for use by many threads. */
public interface FleetProvider {
    /** The name that administrators write, such as {@code k8s}: that of its {@link dev.outpost.provider.GpuProvider}. */
    String name();

    /**
     * The machines of one installation of a control plane. Asks the supplier nothing.
     *
     * @param installation a DNS label that tells the installations at one supplier apart
     * @param options settings of all its machines, by the names of a machine's options; those of a machine go before them
     * @throws IllegalArgumentException when a name or an option is refused; the message names it and the value
     */
    MachineFleet open(String installation, Map<String, String> options);
}
