package dev.outpost.provider.k8s.desired;

import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The part of a device that a resource stands for: the whole device, a slice, or time slices of either.
 *
 * <p>If a node's devices are sliced or shared under the plain name {@code nvidia.com/gpu}, the label of its product ends in {@code
 * -MIG-…} or {@code -SHARED}. A request with the plain name gets whole devices, so these labels are accepted only if the name of the
 * resource itself has a slice or is shared.
 *
 * @param profile the slice, such as {@code 1g.10gb}
 * @param isShared true if other machines share it by time slices
 */
record GpuShare(Optional<String> profile, boolean isShared) {
    private static final Pattern RESOURCE = Pattern.compile("nvidia\\.com/(?:mig-([0-9a-z.]+?)|[^.]+)(\\.shared)?");

    static GpuShare of(String resource) {
        Matcher matcher = RESOURCE.matcher(resource);
        return matcher.matches()
                ? new GpuShare(Optional.ofNullable(matcher.group(1)), matcher.group(2) != null)
                : new GpuShare(Optional.empty(), false);
    }

    /**
     * Returns the labels in which feature discovery writes the product. A slice with a separate resource also has
     * its own label.
     */
    List<String> keys() {
        return profile.map(slice -> List.of("nvidia.com/mig-" + slice + ".product", GpuLabels.PRODUCT))
                .orElse(List.of(GpuLabels.PRODUCT));
    }

    /** Returns the labels of a node with one of the products; empty if none of them has the slice. */
    List<String> of(List<String> products) {
        return products.stream().flatMap(this::share).flatMap(this::forms).toList();
    }

    private Stream<String> share(String product) {
        return profile.map(slice -> MigProfiles.of(product).contains(slice)
                        ? Stream.of(product + "-MIG-" + slice)
                        : Stream.<String>empty())
                .orElse(Stream.of(product));
    }

    /**
     * Returns the possible labels of a shared product. A device plugin that renames the shared resource leaves the label as it is. Both
     * forms are in use.
     */
    private Stream<String> forms(String product) {
        return isShared ? Stream.of(product, product + "-SHARED") : Stream.of(product);
    }
}
