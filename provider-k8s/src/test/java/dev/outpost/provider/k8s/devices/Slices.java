package dev.outpost.provider.k8s.devices;

import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Pattern;

/** ResourceSlices as NVIDIA's driver publishes them. */
public final class Slices {
    private static final Pattern DOCUMENT = Pattern.compile("^---$", Pattern.MULTILINE);

    private Slices() {}

    /** Reads the only slice of a file in {@code resources/devices}. */
    public static ResourceSlice read(String name) {
        List<ResourceSlice> slices = readAll(name);
        if (slices.size() != 1) {
            throw new IllegalArgumentException(name + ": expected one slice, got " + slices.size());
        }
        return slices.getFirst();
    }

    /** Reads all slices of a file, because a driver splits the devices of a node into several. */
    public static List<ResourceSlice> readAll(String name) {
        try (InputStream in = Slices.class.getResourceAsStream("/devices/" + name + ".yaml")) {
            return DOCUMENT.splitAsStream(new String(in.readAllBytes(), StandardCharsets.UTF_8))
                    .skip(1)
                    .map(document -> Serialization.unmarshal(document, ResourceSlice.class))
                    .toList();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
