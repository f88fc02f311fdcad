package dev.outpost.provider.k8s.config;

import dev.outpost.provider.GpuCatalogue;
import dev.outpost.provider.support.InvalidSettingException;
import io.smallrye.config.ConfigValidationException;
import io.smallrye.config.EnvConfigSource;
import io.smallrye.config.PropertiesConfigSource;
import io.smallrye.config.SmallRyeConfig;
import io.smallrye.config.SmallRyeConfigBuilder;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import org.eclipse.microprofile.config.Config;
import org.eclipse.microprofile.config.spi.ConfigSource;

/**
 * Reads the settings. The options of a machine override system properties, these override environment variables, and these override
 * {@code application.properties} and {@code META-INF/microprofile-config.properties} on the class path.
 */
public final class SettingsReader {
    /** The prefix of a setting's name, everywhere except in the options of a machine. */
    public static final String PREFIX = "outpost.k8s.";

    private static final String DEFAULT_NAMESPACE = "outpost";
    private static final int OPTIONS_ORDINAL = 1000;

    private SettingsReader() {}

    /**
     * Reads the settings of this process, overridden by the options of one machine.
     *
     * @param options the options, by names without the prefix
     * @throws IllegalArgumentException for an unknown name or an invalid value; the message names both
     */
    public static KubernetesConfig read(Map<String, String> options) {
        return read(options, fromOutside(), GpuCatalogue.configured());
    }

    /** Reads the options and the settings of these sources, which the options override. */
    static KubernetesConfig read(Map<String, String> options, SmallRyeConfigBuilder sources, GpuCatalogue catalogue) {
        requireKnown(options.keySet());
        SmallRyeConfigBuilder builder = Readers.register(sources, catalogue).withSources(source(options));
        SmallRyeConfig texts = builder.build();
        requireKnown(names(texts));
        SettingValues.check(texts);
        SettingChecks.checkAlternatives(texts, catalogue);
        KubernetesConfig config = map(builder);
        SettingChecks.check(config, catalogue);
        return config;
    }

    /** Reads these options and the defaults, without the settings of this process. */
    public static KubernetesConfig of(Map<String, String> options) {
        return of(options, GpuCatalogue.standard());
    }

    /** Reads like {@link #of(Map)}, with another catalogue of GPUs. */
    public static KubernetesConfig of(Map<String, String> options, GpuCatalogue catalogue) {
        return read(options, new SmallRyeConfigBuilder().addDefaultInterceptors(), catalogue);
    }

    /**
     * Returns the namespace of the machines: the configured one; else the context's, if it names one other than
     * {@code default}; else {@code outpost}.
     *
     * @param ofContext the namespace of the kubeconfig's context; empty within a cluster
     */
    public static String namespace(KubernetesConfig config, Optional<String> ofContext) {
        return config.namespace()
                .or(() -> ofContext.filter(name -> !name.isBlank() && !name.equals("default")))
                .orElse(DEFAULT_NAMESPACE);
    }

    /** Returns the names of all settings, without the prefix. A {@code *} stands for the name of a GPU. */
    public static List<String> names() {
        return Setting.all().stream().map(Setting::name).toList();
    }

    private static SmallRyeConfigBuilder fromOutside() {
        ClassLoader loader = Optional.ofNullable(Thread.currentThread().getContextClassLoader())
                .orElse(SettingsReader.class.getClassLoader());
        return new SmallRyeConfigBuilder()
                .forClassLoader(loader)
                .addDefaultInterceptors()
                .addDefaultSources()
                .addDiscoveredSources();
    }

    private static ConfigSource source(Map<String, String> options) {
        Map<String, String> properties = options.entrySet().stream()
                .collect(Collectors.toMap(option -> PREFIX + option.getKey(), Map.Entry::getValue));
        return new PropertiesConfigSource(properties, "the options of the machine", OPTIONS_ORDINAL);
    }

    /**
     * Maps the settings. Unknown names are not checked here, because the caller has refused them with a better message, and unknown
     * environment variables are ignored. Synchronized: SmallRye defines the classes of a mapping at first use, the outer class first. A
     * second thread could use it before the others exist, and the JVM would then refuse these classes permanently.
     */
    private static synchronized KubernetesConfig map(SmallRyeConfigBuilder builder) {
        try {
            return builder.withMapping(KubernetesConfig.class)
                    .withValidateUnknown(false)
                    .build()
                    .getConfigMapping(KubernetesConfig.class);
        } catch (ConfigValidationException failure) {
            // A setting of one GPU in an environment variable gets its name only here, so it can fail here.
            throw new IllegalArgumentException("outpost.k8s: " + failure.getMessage(), failure);
        }
    }

    /**
     * Returns the names of settings outside of the environment. In a pod, Kubernetes adds variables to the
     * environment: a Service called {@code outpost-k8s} would add {@code OUTPOST_K8S_PORT}.
     */
    private static List<String> names(Config config) {
        return StreamSupport.stream(config.getConfigSources().spliterator(), false)
                .filter(source -> !(source instanceof EnvConfigSource))
                .flatMap(source -> source.getPropertyNames().stream())
                .filter(name -> name.startsWith(PREFIX))
                .map(name -> name.substring(PREFIX.length()))
                .distinct()
                .toList();
    }

    private static void requireKnown(Collection<String> names) {
        List<Setting> settings = Setting.all();
        for (String name : names) {
            if (settings.stream().noneMatch(setting -> setting.isCalled(name))) {
                throw InvalidSettingException.unknown(PREFIX, name, names());
            }
        }
    }
}
