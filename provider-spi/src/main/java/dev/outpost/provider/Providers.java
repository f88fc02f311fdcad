package dev.outpost.provider;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/** The providers that a program can use, by name. */
public final class Providers {
    private final SortedMap<String, GpuProvider> byName;

    /** A sentence for each provider that was left out. */
    private final List<String> skipped;

    private Providers(SortedMap<String, GpuProvider> byName, List<String> skipped) {
        this.byName = byName;
        this.skipped = skipped;
    }

    /**
     * Finds the providers on the class path. Leaves out a provider that needs a newer Java or whose classes cannot be loaded; the
     * message about an unknown provider names it.
     */
    public static Providers discover() {
        return discover(Thread.currentThread().getContextClassLoader());
    }

    static Providers discover(ClassLoader loader) {
        List<GpuProvider> usable = new ArrayList<>();
        List<String> skipped = new ArrayList<>();
        Iterator<GpuProvider> providers =
                ServiceLoader.load(GpuProvider.class, loader).iterator();
        // The iterator continues after a provider that it could not load.
        while (true) {
            try {
                if (!providers.hasNext()) {
                    return of(usable, skipped);
                }
                usable.add(providers.next());
            } catch (UnsupportedClassVersionError failure) {
                skipped.add(NewerClass.parse(failure).sentence());
            } catch (ServiceConfigurationError failure) {
                skipped.add(sentence(failure));
            }
        }
    }

    /**
     * Returns a sentence that says why a provider is left out whose classes cannot be loaded. Throws other errors.
     */
    private static String sentence(ServiceConfigurationError broken) {
        return switch (broken.getCause()) {
            case UnsupportedClassVersionError newer -> NewerClass.parse(newer).sentence();
            case LinkageError missing -> broken.getMessage() + ": " + missing + ".";
            case null, default -> throw broken;
        };
    }

    /** Makes a set of exactly these providers. Two of the same name cause an {@link IllegalArgumentException}. */
    public static Providers of(Iterable<GpuProvider> providers) {
        return of(providers, List.of());
    }

    private static Providers of(Iterable<GpuProvider> providers, List<String> skipped) {
        SortedMap<String, GpuProvider> byName = new TreeMap<>();
        for (GpuProvider provider : providers) {
            GpuProvider earlier = byName.putIfAbsent(key(provider.name()), provider);
            if (earlier != null) {
                throw new IllegalArgumentException("two providers are called " + provider.name() + ": "
                        + earlier.getClass().getName() + " and "
                        + provider.getClass().getName());
            }
        }
        return new Providers(byName, skipped);
    }

    public Collection<String> names() {
        return List.copyOf(byName.keySet());
    }

    /**
     * Finds a provider by its name, ignoring case.
     *
     * {@snippet file="ProviderExamplesTest.java" region="findProvider"}
     *
     * @throws UnknownProviderException if there is none; the message names the known ones
     */
    public GpuProvider find(String name) {
        GpuProvider provider = byName.get(key(name));
        if (provider == null) {
            throw new UnknownProviderException(NearestName.sentence("provider", name, names()) + " " + whatThereIs());
        }
        return provider;
    }

    private String whatThereIs() {
        String found = byName.isEmpty()
                ? "There is none on the class path: add a module such as outpost-provider-mock."
                : "On the class path there are: " + String.join(", ", names()) + ".";
        return String.join(
                " ", Stream.concat(Stream.of(found), skipped.stream()).toList());
    }

    private static String key(String name) {
        return name.toLowerCase(Locale.ROOT);
    }
}
