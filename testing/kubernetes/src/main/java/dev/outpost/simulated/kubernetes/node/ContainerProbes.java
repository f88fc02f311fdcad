package dev.outpost.simulated.kubernetes.node;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.HTTPGetAction;
import io.fabric8.kubernetes.api.model.Probe;
import java.net.URI;
import java.util.Locale;

/** Where a container is asked how it is. */
final class ContainerProbes {
    private ContainerProbes() {}

    /** The address with the scheme {@code tcp} is one to connect to. */
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
