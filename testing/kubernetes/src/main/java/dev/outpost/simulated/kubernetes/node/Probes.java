package dev.outpost.simulated.kubernetes.node;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.HTTPGetAction;
import io.fabric8.kubernetes.api.model.Probe;
import java.net.URI;
import java.util.Locale;

/** Where a container is asked how it is. */
final class Probes {
    private Probes() {}

    static URI uri(Probe probe, Container container, String address) {
        HTTPGetAction get = probe.getHttpGet();
        String scheme = get.getScheme() == null ? "http" : get.getScheme().toLowerCase(Locale.ROOT);
        return URI.create(scheme + "://" + address + ":" + Ports.number(get.getPort(), container) + get.getPath());
    }
}
