package dev.outpost.system.k8s.cluster.node;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.HTTPGetAction;
import io.fabric8.kubernetes.api.model.IntOrString;
import io.fabric8.kubernetes.api.model.Probe;
import java.net.URI;
import java.util.Locale;

/** Where a container is asked how it is. */
final class Probes {
    private Probes() {}

    static URI uri(Probe probe, Container container, String address) {
        HTTPGetAction get = probe.getHttpGet();
        String scheme = get.getScheme() == null ? "http" : get.getScheme().toLowerCase(Locale.ROOT);
        return URI.create(scheme + "://" + address + ":" + port(get.getPort(), container) + get.getPath());
    }

    private static int port(IntOrString port, Container container) {
        if (port.getIntVal() != null) {
            return port.getIntVal();
        }
        return container.getPorts().stream()
                .filter(named -> port.getStrVal().equals(named.getName()))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(
                        "probe: container " + container.getName() + " has no port " + port.getStrVal()))
                .getContainerPort();
    }
}
