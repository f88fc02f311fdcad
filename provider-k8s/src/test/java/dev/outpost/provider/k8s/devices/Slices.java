package dev.outpost.provider.k8s.devices;

import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;

/** ResourceSlices as NVIDIA's driver publishes them. */
public final class Slices {
    private Slices() {}

    /** One of {@code resources/devices}, by the name of its file. */
    public static ResourceSlice read(String name) {
        try (InputStream in = Slices.class.getResourceAsStream("/devices/" + name + ".yaml")) {
            return Serialization.unmarshal(in, ResourceSlice.class);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}
