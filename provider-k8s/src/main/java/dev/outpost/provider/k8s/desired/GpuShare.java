package dev.outpost.provider.k8s.desired;

import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * How much of a device a resource means: all of it, a slice, or turns on either.
 *
 * <p>A node whose devices are sliced or shared under the plain name {@code nvidia.com/gpu} says so in the label of its
 * product, which then ends in {@code -MIG-…} or {@code -SHARED}. Who asks by the plain name gets whole devices, so
 * these forms count only where the resource's own name says slice or shared.
 *
 * @param profile the slice, such as {@code 1g.10gb}
 * @param isShared whether others take turns on it
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
     * The labels in which feature discovery writes the product: a slice with a resource of its own has its own, too.
     */
    List<String> keys() {
        return profile.map(slice -> List.of("nvidia.com/mig-" + slice + ".product", GpuLabels.PRODUCT))
                .orElse(List.of(GpuLabels.PRODUCT));
    }

    /** The labels of a node with one of the products; none when none of them has the slice. */
    List<String> of(List<String> products) {
        return products.stream().flatMap(this::share).flatMap(this::forms).toList();
    }

    private Stream<String> share(String product) {
        return profile.map(slice -> MigProfiles.of(product).contains(slice)
                        ? Stream.of(product + "-MIG-" + slice)
                        : Stream.<String>empty())
                .orElse(Stream.of(product));
    }

    /** A plugin that renames what it shares leaves the label as it is; both forms are about. */
    private Stream<String> forms(String product) {
        return isShared ? Stream.of(product, product + "-SHARED") : Stream.of(product);
    }
}
