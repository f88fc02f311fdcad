package dev.outpost.provider;

import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Objects;

/**
 * A kind of GPU that can be asked for.
 *
 * @param name the name that a user writes, such as {@code A100}
 * @param aliases other names of this GPU, including the names in the node labels of GPU feature discovery
 * @param memoryVariants the memory sizes in bytes in which it is built, smallest first; empty if unknown
 * @param computeCapability the lowest compute capability of its variants; 0.0 if unknown
 * @param marketingName the vendor's name
 */
public record GpuType(
        String name,
        List<String> aliases,
        List<Long> memoryVariants,
        ComputeCapability computeCapability,
        String marketingName) {

    /**
     * The bytes of a vendor's decimal gigabyte. A binary gigabyte would be too much, because error correction takes a
     * part of a card's memory.
     */
    public static final long GIGABYTE = 1_000_000_000L;

    /** Any GPU of the provider, without a guaranteed memory or compute capability. */
    public static final GpuType ANY =
            new GpuType("any", List.of(), List.of(), new ComputeCapability(0, 0), "any GPU of the provider");

    public GpuType {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(computeCapability, "computeCapability");
        Objects.requireNonNull(marketingName, "marketingName");
        aliases = List.copyOf(aliases);
        memoryVariants = memoryVariants.stream().sorted().toList();
    }

    /** Returns the memory in bytes that every variant of this type has at least; 0 for {@link #ANY}. */
    public long assuredMemory() {
        return memoryVariants.isEmpty() ? 0 : Collections.min(memoryVariants);
    }

    public boolean isAny() {
        return equals(ANY);
    }

    /**
     * Returns true if a user or a driver may mean this type by that name. Case, blanks, dashes, the vendor and the product line do not
     * matter: {@code NVIDIA GeForce RTX 4090} and {@code rtx-4090} mean {@code RTX4090}.
     */
    public boolean isCalled(String candidate) {
        String plain = plain(candidate);
        return plain.equals(plain(name)) || aliases.stream().anyMatch(alias -> plain.equals(plain(alias)));
    }

    private static String plain(String name) {
        return name.toLowerCase(Locale.ROOT)
                .replaceAll("[^a-z0-9.]", "")
                .replaceFirst("^nvidia", "")
                .replaceFirst("^geforce", "");
    }

    @Override
    public String toString() {
        return name;
    }
}
