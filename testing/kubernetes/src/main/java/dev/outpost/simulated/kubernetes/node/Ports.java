package dev.outpost.simulated.kubernetes.node;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.IntOrString;

/** Resolves ports that are given by number or by the container's name for them. */
final class Ports {
    private Ports() {}

    static int number(IntOrString port, Container container) {
        if (port.getIntVal() != null) {
            return port.getIntVal();
        }
        return container.getPorts().stream()
                .filter(named -> port.getStrVal().equals(named.getName()))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(
                        "port: container " + container.getName() + " has none named " + port.getStrVal()))
                .getContainerPort();
    }
}
