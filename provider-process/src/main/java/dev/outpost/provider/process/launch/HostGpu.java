package dev.outpost.provider.process.launch;

import dev.outpost.provider.GpuCatalogue;
import dev.outpost.provider.GpuType;
import java.util.Locale;

/**
 * A GPU of this host.
 *
 * @param uuid by which CUDA takes it: {@code GPU-…}
 * @param model what the driver calls it: {@code NVIDIA A100-SXM4-40GB}
 */
record HostGpu(String uuid, String model) {

    /** Whether it is one that was asked for: by its own name, by an alias, or by the name of its family ({@code A100}). */
    boolean is(GpuType type, GpuCatalogue catalogue) {
        return type.isAny()
                || isCalled(type)
                || catalogue.types().stream()
                        .anyMatch(other -> other.name().startsWith(type.name() + "-") && isCalled(other));
    }

    private boolean isCalled(GpuType type) {
        return type.isCalled(model.strip().replaceAll("\\s+", "-"))
                || word(type.name()).equals(word(model));
    }

    /** Without the vendor, the line of products, blanks and dashes: {@code RTX4090} of {@code NVIDIA GeForce RTX 4090}. */
    private static String word(String name) {
        return name.toUpperCase(Locale.ROOT)
                .replaceFirst("^(NVIDIA|TESLA)[ -]", "")
                .replaceFirst("^GEFORCE ", "")
                .replaceAll("[^A-Z0-9]", "");
    }
}
