package dev.outpost.provider;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The GPU types that have a name: the well-known ones and those of the user's configuration. Immutable. */
public final class GpuCatalogue {
    /** The system property that adds GPUs, such as {@code RTX4090=24GB:8.9;RTX3060=12GB:8.6}. */
    public static final String PROPERTY = "outpost.gpus";

    /** The environment variable with the same meaning; read if the property is not set. */
    public static final String ENVIRONMENT = "OUTPOST_GPUS";

    private final List<GpuType> types;

    private GpuCatalogue(List<GpuType> types) {
        this.types = List.copyOf(types);
    }

    /** Returns the catalogue of the well-known GPUs. */
    public static GpuCatalogue standard() {
        return new GpuCatalogue(KnownGpus.list());
    }

    /**
     * Returns the well-known GPUs and those of the text. An added type replaces a well-known one of the same name.
     *
     * @throws IllegalArgumentException if the text is malformed; the message says where
     */
    public static GpuCatalogue with(String configuration) {
        List<GpuType> added = GpuConfiguration.parse(configuration);
        List<GpuType> types = new ArrayList<>();
        KnownGpus.list().stream()
                .filter(known -> added.stream().noneMatch(type -> known.isCalled(type.name())))
                .forEach(types::add);
        types.addAll(added);
        return new GpuCatalogue(types);
    }

    /**
     * Returns the catalogue of this process: configured by {@value #PROPERTY}, else by {@value #ENVIRONMENT}, else only the well-known
     * types.
     */
    public static GpuCatalogue configured() {
        return with(Optional.ofNullable(System.getProperty(PROPERTY))
                .or(() -> Optional.ofNullable(System.getenv(ENVIRONMENT)))
                .orElse(""));
    }

    /** Returns all types that have a name of their own, without {@code any}. */
    public List<GpuType> types() {
        return types;
    }

    /**
     * Finds a type by its name or alias, ignoring case; {@code any} is {@link GpuType#ANY}.
     *
     * {@snippet file="ProviderExamplesTest.java" region="findGpu"}
     *
     * @throws UnknownGpuException if no type has this name; the message suggests the nearest name
     */
    public GpuType find(String name) {
        return candidates()
                .filter(type -> type.isCalled(name))
                .findFirst()
                .orElseThrow(() -> new UnknownGpuException(sentence(name)));
    }

    /**
     * Returns true if a device has the name of a type or of one of its variants. For example, an A100 of 40 GB is an
     * A100.
     *
     * {@snippet file="ProviderExamplesTest.java" region="matchesDevice"}
     *
     * @param driver the driver's name of the device, such as {@code NVIDIA GeForce RTX 4090}
     */
    public boolean isOf(GpuType type, String driver) {
        return type.isAny()
                || type.isCalled(driver)
                || types.stream()
                        .anyMatch(other -> other.name().startsWith(type.name() + "-") && other.isCalled(driver));
    }

    private Stream<GpuType> candidates() {
        return Stream.concat(types.stream(), Stream.of(GpuType.ANY));
    }

    private String sentence(String name) {
        List<String> names = candidates().map(GpuType::name).toList();
        return NearestName.sentence("GPU", name, names) + " The catalogue has " + names.size()
                + " names; ./outpost gpus lists them.";
    }
}
