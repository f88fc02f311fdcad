package dev.outpost.backend.model;

import java.util.Collection;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The relations between names of GPUs. {@code A100-80GB} is a variant of the family {@code A100}: a limit or a price of the family holds
 * for its variants, and a request for the family may be given any of them. A request for {@code any} may be given every kind.
 */
public final class GpuKinds {
    public static final String ANY = "any";

    private static final Pattern VARIANT = Pattern.compile("-[0-9]+GB$");

    /** The family of an SQL expression for a name. */
    public static String familySql(String name) {
        return "regexp_replace(" + name + ", '-[0-9]+GB$', '')";
    }

    private GpuKinds() {}

    public static String family(String name) {
        return VARIANT.matcher(name).replaceFirst("");
    }

    /** True if a GPU of that kind is one of those that a name means: the kind itself, or its family. */
    public static boolean isOf(String kind, String name) {
        return kind.equals(name) || family(kind).equals(name);
    }

    /**
     * The kinds that a request can be given on a cluster.
     *
     * @param kinds the kinds that the cluster has; every kind where it is empty, and then the kind is known only as it was asked for
     */
    public static List<String> on(Collection<String> kinds, String asked) {
        if (kinds.isEmpty()) {
            return List.of(asked);
        }
        return asked.equals(ANY)
                ? kinds.stream().distinct().toList()
                : Stream.concat(
                                kinds.stream().filter(asked::equals),
                                kinds.stream().filter(kind -> !kind.equals(asked) && isOf(kind, asked)))
                        .distinct()
                        .toList();
    }
}
