package dev.outpost.provider;

import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.ServiceLoader;
import java.util.SortedMap;
import java.util.TreeMap;

/** The providers that a program can use, by name. */
public final class Providers {
    private final SortedMap<String, GpuProvider> byName;

    private Providers(SortedMap<String, GpuProvider> byName) {
        this.byName = byName;
    }

    /** Those on the class path. */
    public static Providers discover() {
        return of(ServiceLoader.load(GpuProvider.class));
    }

    /** These and no others; two of one name are an {@link IllegalArgumentException}. */
    public static Providers of(Iterable<GpuProvider> providers) {
        SortedMap<String, GpuProvider> byName = new TreeMap<>();
        for (GpuProvider provider : providers) {
            GpuProvider earlier = byName.putIfAbsent(key(provider.name()), provider);
            if (earlier != null) {
                throw new IllegalArgumentException("two providers are called " + provider.name() + ": "
                        + earlier.getClass().getName() + " and "
                        + provider.getClass().getName());
            }
        }
        return new Providers(byName);
    }

    public Collection<String> names() {
        return List.copyOf(byName.keySet());
    }

    /**
     * The provider of that name, whatever its case.
     *
     * @throws UnknownProviderException when there is none; the message names those that there are
     */
    public GpuProvider find(String name) {
        GpuProvider provider = byName.get(key(name));
        if (provider == null) {
            throw new UnknownProviderException(NearestName.sentence("provider", name, names()) + " " + whatThereIs());
        }
        return provider;
    }

    private String whatThereIs() {
        return byName.isEmpty()
                ? "There is none on the class path: add a module such as outpost-provider-mock."
                : "On the class path there are: " + String.join(", ", names()) + ".";
    }

    private static String key(String name) {
        return name.toLowerCase(Locale.ROOT);
    }
}
