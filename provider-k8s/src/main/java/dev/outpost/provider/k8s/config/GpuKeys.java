package dev.outpost.provider.k8s.config;

import dev.outpost.provider.GpuCatalogue;
import dev.outpost.provider.GpuType;
import dev.outpost.provider.UnknownGpuException;
import dev.outpost.provider.k8s.config.KubernetesConfig.GpuSettings;
import dev.outpost.provider.support.InvalidSettingException;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Finds the GPU of a key of {@link KubernetesConfig#gpus}: its name or an alias. Environment variables have neither case nor dashes
 * ({@code OUTPOST_K8S_GPUS__A100_80GB__TOLERATIONS}), so only letters and digits are compared.
 */
public final class GpuKeys {
    private GpuKeys() {}

    /** Returns the settings for that GPU only. */
    public static Optional<GpuSettings> settings(KubernetesConfig config, GpuType gpu) {
        return config.gpus().entrySet().stream()
                .filter(entry -> means(entry.getKey(), gpu))
                .map(Map.Entry::getValue)
                .findFirst();
    }

    static GpuType find(GpuCatalogue catalogue, String key) {
        return Stream.concat(catalogue.types().stream(), Stream.of(GpuType.ANY))
                .filter(gpu -> means(key, gpu))
                .findFirst()
                .orElseGet(() -> refuse(catalogue, key));
    }

    private static boolean means(String key, GpuType gpu) {
        return Stream.concat(Stream.of(gpu.name()), gpu.aliases().stream())
                .anyMatch(name -> plain(name).equals(plain(key)));
    }

    private static String plain(String name) {
        return name.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]", "");
    }

    /** Throws the exception of the catalogue's own search, which names the nearest name. */
    private static GpuType refuse(GpuCatalogue catalogue, String key) {
        try {
            return catalogue.find(key);
        } catch (UnknownGpuException unknown) {
            throw InvalidSettingException.of(SettingsReader.PREFIX + "gpus." + key, unknown.getMessage());
        }
    }
}
