package dev.outpost.simulated.kubernetes.node;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.HTTPGetAction;
import io.fabric8.kubernetes.api.model.Probe;
import java.net.URI;
import java.util.Locale;

/** The addresses of a container's probes. */
final class ContainerProbes {
    private ContainerProbes() {}

    /** A probe with the scheme {@code tcp} only connects to the address. */
    static URI uri(Probe probe, Container container, String address) {
        if (probe.getTcpSocket() != null) {
            return URI.create(
                    "tcp://" + address + ":" + Ports.number(probe.getTcpSocket().getPort(), container));
        }
        HTTPGetAction get = probe.getHttpGet();
        String scheme = get.getScheme() == null ? "http" : get.getScheme().toLowerCase(Locale.ROOT);
        return URI.create(scheme + "://" + address + ":" + Ports.number(get.getPort(), container) + get.getPath());
    }
}
