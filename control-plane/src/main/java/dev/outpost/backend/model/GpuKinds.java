package dev.outpost.backend.model;

import java.util.Collection;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The relations between names of GPUs. {@code A100-80GB} is a variant of the family {@code A100}: a limit or a price
 * of the family holds for its variants, and a request for the family may get any of its variants. A request for
 * {@code any} may get every kind.
 */
public final class GpuKinds {
    public static final String ANY = "any";

    private static final Pattern VARIANT = Pattern.compile("-[0-9]+GB$");

    /** Returns an SQL expression for the family of the name that another SQL expression gives. */
    public static String familySql(String name) {
        return "regexp_replace(" + name + ", '-[0-9]+GB$', '')";
    }

    private GpuKinds() {}

    public static String family(String name) {
        return VARIANT.matcher(name).replaceFirst("");
    }

    /** True if {@code name} includes this kind of GPU: it is the name of the kind or of its family. */
    public static boolean isOf(String kind, String name) {
        return kind.equals(name) || family(kind).equals(name);
    }

    /**
     * Returns the kinds that a request can get on a cluster.
     *
     * @param kinds the kinds of the cluster; if empty, the cluster has every kind, and the result is the requested
     *     name
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
